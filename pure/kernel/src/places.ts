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

/** Without owners. */
export function openPlaces(size: number): Places {
  return openSharedPlaces(size).of(null)
}

/** A number of equal places that owners share. */
export interface SharedPlaces {
  /** Callers in line. */
  readonly waiting: number
  /** Whether callers wait and no place is free, not even for an owner that has none. */
  readonly isCrowded: boolean
  /** The places as this owner sees them; null for work of no owner, which waits only when none is free. */
  of(owner: string | null): Places
}

interface Waiting {
  readonly owner: string | null
  grant(): void
}

/**
 * [Note: shared places] An owner holds at most as many places as stay free: one busy owner gets half of them, two a third
 * each. So a place is always free for an owner that has none, however many callers of the others wait.
 */
export function openSharedPlaces(size: number): SharedPlaces {
  const line = new Set<Waiting>()
  const held = new Map<string, number>()
  let free = size

  const heldBy = (owner: string): number => held.get(owner) ?? 0
  const isAdmitted = (owner: string | null): boolean => free > 0 && (owner === null || heldBy(owner) < free)
  const move = (owner: string | null, count: 1 | -1): void => {
    free -= count
    if (owner === null) return
    const left = heldBy(owner) + count
    if (left === 0) held.delete(owner)
    else held.set(owner, left)
  }
  const grantNext = (): void => {
    for (const waiting of line) {
      if (!isAdmitted(waiting.owner)) continue
      line.delete(waiting)
      move(waiting.owner, 1)
      waiting.grant()
    }
  }
  const take = (owner: string | null): Turn => {
    if (isAdmitted(owner)) {
      move(owner, 1)
      return { granted: Promise.resolve(), giveUp: () => false }
    }
    const waiting: Waiting = { owner, grant() {} }
    const granted = new Promise<void>((resolve) => {
      waiting.grant = resolve
    })
    line.add(waiting)
    return { granted, giveUp: () => line.delete(waiting) }
  }
  const put = (owner: string | null): void => {
    move(owner, -1)
    grantNext()
  }
  const waitingOf = (owner: string | null): number => [...line].filter((waiting) => waiting.owner === owner).length

  return {
    get waiting() {
      return line.size
    },
    get isCrowded() {
      return free === 0 && line.size > 0
    },
    of: (owner) => ({
      get waiting() {
        return waitingOf(owner)
      },
      take: () => take(owner),
      put: () => put(owner),
    }),
  }
}
