import type { BusNeeds } from '../needs.ts'
import { carrierOfLink, type Party } from '../parties.ts'
import { wakeSubject } from '../subjects.ts'

/** Tells whoever relays to a target that something was written. A lost hint costs one poll, never a tell. */
export interface Waker {
  wake(target: Party): void
  /** The relay of this process, if it has one, is woken without the network. */
  listen(target: Party, act: () => void): void
}

export function createWaker(needs: BusNeeds): Waker {
  const listeners = new Map<Party, () => void>()
  const announced = new Set<Party>()
  return {
    wake(target) {
      listeners.get(target)?.()
      // Many commits of one moment need one hint.
      if (announced.has(target)) return
      announced.add(target)
      setTimeout(() => {
        announced.delete(target)
        const link = { source: needs.self, target }
        needs.carrierAt(carrierOfLink(link)).publish(wakeSubject(link), new Uint8Array())
      }, 2)
    },
    listen: (target, act) => void listeners.set(target, act),
  }
}
