/** Refusals of callers who ask too often. */
export interface HeldRefusals {
  /** When the caller may be told; null: at once. */
  hold(caller: string): Promise<void> | null
}

/** In each `windowMs`. */
const AT_ONCE = 20
const WINDOW_MS = 1000
/** Of one caller: each keeps a connection. */
const MOST_HELD = 256

interface Window {
  refused: number
  held: number
}

/**
 * [Note: held refusals] A refusal is cheap, a thousand a second are not. A caller who asks again as soon as it is refused
 * gets the answer a second later, which is what `Retry-After` asks it to wait at least; its next call comes that much later.
 */
export function openHeldRefusals(): HeldRefusals {
  const windows = new Map<string, Window>()
  return {
    hold(caller) {
      const window = windows.get(caller) ?? openWindow(windows, caller)
      window.refused += 1
      if (window.refused <= AT_ONCE || window.held >= MOST_HELD) return null
      window.held += 1
      const { promise, resolve } = Promise.withResolvers<void>()
      setTimeout(() => {
        window.held -= 1
        resolve()
      }, WINDOW_MS).unref()
      return promise
    },
  }
}

/** A window begins anew every second, and is gone when nothing was refused or held in it. */
function openWindow(windows: Map<string, Window>, caller: string): Window {
  const window = { refused: 0, held: 0 }
  windows.set(caller, window)
  const timer = setInterval(() => {
    if (window.refused === 0 && window.held === 0) {
      clearInterval(timer)
      windows.delete(caller)
    }
    window.refused = 0
  }, WINDOW_MS).unref()
  return window
}
