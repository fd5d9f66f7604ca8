/** How long something may take, unless it is told that something came. */
export interface Deadline {
  readonly signal: AbortSignal
  /** Something came: the time begins anew. */
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
