import { once } from './once.ts'
import { openSharedPlaces } from './places.ts'

/** Work that waits for one of a few places, in a line that no owner can fill. */
export interface Turns {
  /** Resolves when it is the owner's turn; call the result at its end. Null: too many wait already. */
  enter(owner: string): Promise<(() => void) | null>
}

export interface TurnOptions {
  readonly places: number
  /** Of all owners; one may be half of the line. */
  readonly mostWaiting: number
}

/** [Note: shared places], and a bound of the line. */
export function openTurns({ places: size, mostWaiting }: TurnOptions): Turns {
  const places = openSharedPlaces(size)
  return {
    async enter(owner) {
      const own = places.of(owner)
      const turn = own.take()
      const isTooMany = places.waiting > mostWaiting || own.waiting > Math.ceil(mostWaiting / 2)
      if (isTooMany && turn.giveUp()) return null
      await turn.granted
      return once(() => own.put())
    },
  }
}
