/** A number of equal places. Callers that find none free wait in line. */
export interface Places {
  /** Callers in line. */
  readonly waiting: number
  take(): Turn
  /** Frees a place that was granted: the first caller in line gets it. */
  put(): void
}

export interface Turn {
  /** Resolves when the caller has a place. */
  readonly granted: Promise<void>
  /** True when nothing was granted yet and nothing will be; false when the caller has a place. */
  giveUp(): boolean
}

interface Waiting {
  grant(): void
}

export function openPlaces(size: number): Places {
  const line = new Set<Waiting>()
  let free = size
  return {
    get waiting() {
      return line.size
    },
    take() {
      if (free > 0) {
        free -= 1
        return { granted: Promise.resolve(), giveUp: () => false }
      }
      const waiting: Waiting = { grant() {} }
      const granted = new Promise<void>((resolve) => {
        waiting.grant = resolve
      })
      line.add(waiting)
      return { granted, giveUp: () => line.delete(waiting) }
    },
    put() {
      const [next] = line
      if (next === undefined) {
        free += 1
        return
      }
      line.delete(next)
      next.grant()
    },
  }
}
