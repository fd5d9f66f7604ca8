import type { Database } from '@sealpost/postgres'
import { ApiError } from '@sealpost/protocol'
import type { Log } from '@sealpost/telemetry'
import type { JWK } from 'jose'
import type { ClientDirectory } from './directory.ts'
import { listStoredKeys, replaceStoredKeys } from './store.ts'

export interface SigningKeyNeeds {
  readonly database: Database
  readonly directory: ClientDirectory
  readonly log: Log
}

/** The directory's published keys; while it is away, the ones it published last. */
export async function loadSigningKeys({ database, directory, log }: SigningKeyNeeds): Promise<readonly JWK[]> {
  try {
    const keys = await directory.listSigningKeys()
    await database.transaction((tx) => replaceStoredKeys(tx, keys))
    return keys
  } catch (error) {
    const stored = await database.read(listStoredKeys)
    if (!(error instanceof ApiError) || stored.length === 0) throw error
    log.warn({ error_key: error.key }, 'the directory is away: tokens are checked with the keys it published last')
    return stored
  }
}
