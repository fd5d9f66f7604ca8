import { integerSetting, secretSetting } from '@sealpost/kernel'
import { DEFAULT_COMMAND_TIMEOUT_MS } from './connection.ts'

export const redisSettings = {
  REDIS_URL: secretSetting({ about: 'Redis or Valkey for rate limits; losing it loses no data.' }),
  REDIS_TIMEOUT_MS: integerSetting({
    about: 'Milliseconds that a request waits for Redis; after that, limits are counted in the process.',
    fallback: String(DEFAULT_COMMAND_TIMEOUT_MS),
    min: 10,
    max: 60_000,
  }),
}
