import { EngineError, type EngineState } from '@sealpost/kernel'

/**
 * The storage failed for a reason that is not in the request: it is down, slow, full or misconfigured. Errors of the
 * SDK are not passed on; they contain requests and responses.
 */
export class ObjectStorageError extends EngineError {
  override readonly name = 'ObjectStorageError'
  readonly code: string
  readonly status: number | null

  constructor(operation: string, error: unknown) {
    const { code, status } = factsOf(error)
    const shown = status === null ? code : `${code}, status ${status}`
    const message = `object storage: ${operation} failed (${shown}); ${adviceFor(code, status)}`
    super(message, { engine: 'file store', state: stateOf(code, status) })
    this.code = code
    this.status = status
  }
}

/** Bytes that do not match their SHA-256 or their length. */
export class DamagedObjectError extends Error {
  override readonly name = 'DamagedObjectError'

  constructor(what: string) {
    super(`the object is damaged: ${what}`)
  }
}

export function isMissingObject(error: unknown): boolean {
  const { code, status } = factsOf(error)
  return status === 404 && code !== 'NoSuchBucket'
}

export interface ErrorFacts {
  readonly code: string
  readonly status: number | null
}

export function factsOf(error: unknown): ErrorFacts {
  if (!(error instanceof Error)) return { code: 'Unknown', status: null }
  const code = 'code' in error && typeof error.code === 'string' ? error.code : error.name
  const metadata: unknown = '$metadata' in error ? error.$metadata : null
  const hasStatus = typeof metadata === 'object' && metadata !== null && 'httpStatusCode' in metadata
  return { code, status: hasStatus && typeof metadata.httpStatusCode === 'number' ? metadata.httpStatusCode : null }
}

const FULL = new Set(['QuotaExceeded', 'InsufficientCapacity', 'XMinioStorageFull'])
const INSUFFICIENT_STORAGE = 507
const SLOW_DOWN = new Set([429, 503])

function stateOf(code: string, status: number | null): EngineState {
  if (status === INSUFFICIENT_STORAGE || FULL.has(code)) return 'full'
  return status !== null && SLOW_DOWN.has(status) ? 'busy' : 'away'
}

function adviceFor(code: string, status: number | null): string {
  if (code === 'NoSuchBucket') return 'create the bucket or correct S3_BUCKET'
  if (code === 'NoFreeConnection') return 'repeat the call; if this happens often, raise S3_SOCKETS'
  if (status === 403) return 'check S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY and the clock'
  if (status === null) return 'check that S3_ENDPOINT is reachable'
  return 'see the log of the storage server'
}
