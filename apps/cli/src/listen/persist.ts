import { isSealpostError, NetworkError, UnexpectedAnswerError } from '@sealpost/sdk'
import type { Terminal } from '../terminal.ts'

const BACKOFF_SECONDS = [1, 2, 4, 8, 15, 30] as const

/** Retries until the call succeeds; throws errors that a retry cannot fix, such as a wrong secret. Logs each reason once. */
export async function persist<T>(
  terminal: Terminal,
  signal: AbortSignal,
  call: () => Promise<T>,
  mayPass: (error: Error) => boolean = isOutage,
): Promise<T> {
  let reported: string | null = null
  for (let failures = 0; ; failures += 1) {
    try {
      const result = await call()
      if (reported !== null) terminal.log('connected again')
      return result
    } catch (error) {
      signal.throwIfAborted()
      if (!(error instanceof Error) || !mayPass(error)) throw error
      const seconds = secondsOf(error, failures)
      const reason = reasonOf(error)
      if (reason !== reported) terminal.log(`${reason}; trying again (in ${seconds} s)`)
      reported = reason
      await terminal.wait(seconds * 1000, signal)
    }
  }
}

/** For the first call: an unexpected answer means a wrong address, unless its status is that of an outage. */
export function isOutageAtFirst(error: Error): boolean {
  return error instanceof UnexpectedAnswerError ? error.status === 429 || error.status >= 500 : isOutage(error)
}

/** No network, a server that is down or restarting, a captive portal, or a rate limit. */
function isOutage(error: Error): boolean {
  if (error instanceof NetworkError || error instanceof UnexpectedAnswerError) return true
  if (!isSealpostError(error)) return false
  const { key, status } = error
  return key === 'company_data.attempt_invalid' || status === 421 || status === 429 || status >= 500
}

function secondsOf(error: Error, failures: number): number {
  const backoff = BACKOFF_SECONDS[Math.min(failures, BACKOFF_SECONDS.length - 1)] ?? 30
  const isRefusal = isSealpostError(error) || error instanceof UnexpectedAnswerError
  return (isRefusal ? error.retryAfterSeconds : undefined) ?? backoff
}

/** Strips the request id, which differs each time. */
function reasonOf({ message }: Error): string {
  return message.replace(/ \(request [\w-]+\)$/, '').replace(/, request [\w-]+\)$/, ')')
}
