import type { Log } from '@sealpost/telemetry'
import type { RegionIdempotency } from './core.ts'

const EVERY_MS = 60_000
const AT_ONCE = 1000

/** What a worker tidies up now and then; every act is safe to do twice, so several workers may do it. */
export function startUpkeep(idempotency: RegionIdempotency, log: Log): () => void {
  const timer = setInterval(() => {
    idempotency.removeExpired(AT_ONCE).catch((error: unknown) => {
      log.warn(
        { err: error },
        'answers kept for Idempotency-Keys could not be tidied up; it is tried again in a minute',
      )
    })
  }, EVERY_MS)
  timer.unref()
  return () => clearInterval(timer)
}
