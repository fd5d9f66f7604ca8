import { isSealpostError, NetworkError, UnexpectedAnswerError } from '@sealpost/sdk'
import type { Terminal } from '../terminal.ts'

const BACKOFF_SECONDS = [1, 2, 4, 8, 15, 30] as const

/** Tries until it succeeds; throws what no waiting will mend, such as a wrong secret. Tells each reason once. */
export async function persist<T>(
  terminal: Terminal,
  signal: AbortSignal,
  act: () => Promise<T>,
  mayPass: (error: Error) => boolean = isOutage,
): Promise<T> {
  let told: string | null = null
  for (let failures = 0; ; failures += 1) {
    try {
      const result = await act()
      if (told !== null) terminal.tell('connected again')
      return result
    } catch (error) {
      signal.throwIfAborted()
      if (!(error instanceof Error) || !mayPass(error)) throw error
      const seconds = secondsOf(error, failures)
      const reason = reasonOf(error)
      if (reason !== told) terminal.tell(`${reason}; trying again (in ${seconds} s)`)
      told = reason
      await terminal.wait(seconds * 1000, signal)
    }
  }
}

/** Before anything was ever answered, what answers strangely is a wrong address. */
export function isOutageAtFirst(error: Error): boolean {
  return error instanceof UnexpectedAnswerError ? error.status === 429 || error.status >= 500 : isOutage(error)
}

/** No line, a server that is down or being restarted, a hotel that answers in its place, or too many calls. */
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

/** Without the name of the call, which is another one each time. */
function reasonOf({ message }: Error): string {
  return message.replace(/ \(request [\w-]+\)$/, '').replace(/, request [\w-]+\)$/, ')')
}
