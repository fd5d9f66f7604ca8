import type { BusContext } from '../context.ts'
import { carrierOfLink, type Party } from '../parties.ts'
import { subjectOf } from '../subjects.ts'

/** Wakes the relay of a target after a write. A lost hint costs one poll, never a tell. */
export interface Waker {
  wake(target: Party): void
  /** The relay of this process, if any, is woken without the network. */
  listen(target: Party, act: () => void): void
}

export function createWaker(context: BusContext): Waker {
  const listeners = new Map<Party, () => void>()
  const announced = new Set<Party>()
  return {
    wake(target) {
      listeners.get(target)?.()
      // Many commits in one moment need one hint.
      if (announced.has(target)) return
      announced.add(target)
      setTimeout(() => {
        announced.delete(target)
        const link = { source: context.self, target }
        context.carrierAt(carrierOfLink(link)).publish(subjectOf('wake', link), new Uint8Array())
      }, 2)
    },
    listen: (target, act) => void listeners.set(target, act),
  }
}
