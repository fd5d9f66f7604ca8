import { createContext, use, useCallback, useSyncExternalStore } from 'react'
import { nowMs } from '../browser/clock.ts'
import { ask, onChanged } from '../link/worker-link.ts'
import { openReads, type Read, type Reads } from './reads.ts'

const reads = openReads({ onChanged, nowMs })
export const ReadsContext = createContext<Reads>(reads)

/** What was read last is kept, so that a page that opens again is drawn at once. Emptied when the account is locked. */
export function forgetReads(): void {
  reads.forget()
}

/** Reads by a command, and again when the worker says that the topic has changed. */
export function useCommandRead(name: string, topic: string, input: readonly unknown[]): Read<unknown> {
  const of = use(ReadsContext)
  const key = JSON.stringify([name, input])
  const follow = useCallback(
    (changed: () => void) => {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the key was made of this name and input
      const [, given] = JSON.parse(key) as [string, readonly unknown[]]
      return of.follow(key, topic, () => ask(name, given), changed)
    },
    [of, key, name, topic],
  )
  const read = () => of.read(key)
  return useSyncExternalStore(follow, read, read)
}
