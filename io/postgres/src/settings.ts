import { integerSetting } from '@sealpost/kernel'
import type { DatabaseOptions } from './database.ts'

export const databaseSettings = {
  DATABASE_POOL: integerSetting({ about: 'Connections to the database per process.', fallback: '10', min: 1 }),
  DATABASE_WAIT_MS: integerSetting({
    about:
      'Milliseconds that a call waits for a free connection or for a lock before it is answered 503. A statement may run three times as long.',
    fallback: '5000',
    min: 100,
    max: 60_000,
  }),
}

/** The limits of `openDatabase` that operators may change. */
export function databaseLimits(settings: {
  readonly DATABASE_POOL: number
  readonly DATABASE_WAIT_MS: number
}): Pick<DatabaseOptions, 'poolSize' | 'connectTimeoutMs' | 'lockTimeoutMs' | 'statementTimeoutMs'> {
  const { DATABASE_POOL: poolSize, DATABASE_WAIT_MS: waitMs } = settings
  return { poolSize, connectTimeoutMs: waitMs, lockTimeoutMs: waitMs, statementTimeoutMs: 3 * waitMs }
}
