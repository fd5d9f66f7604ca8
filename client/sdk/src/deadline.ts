/** Aborts its signal after a time without progress. */
export interface Deadline {
  readonly signal: AbortSignal
  /** Progress was made: the time starts again. */
  extend(): void
  end(): void
}

export function openDeadline(ms: number): Deadline {
  const controller = new AbortController()
  const start = () => setTimeout(() => controller.abort(), ms)
  let timer = start()
  const end = () => clearTimeout(timer)
  const extend = () => {
    end()
    timer = start()
  }
  return { signal: controller.signal, extend, end }
}
