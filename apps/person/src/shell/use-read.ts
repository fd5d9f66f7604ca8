import { createContext, use, useCallback, useSyncExternalStore } from 'react'
import type { CommandName, InputOf, OutputOf } from '../worker/messages.ts'
import type { Topic } from '../worker/topic.ts'
import { nowMs } from './clock.ts'
import { openReads, type Read, type Reads } from './reads.ts'
import { call, onChanged } from './worker-client.ts'

export type { Read } from './reads.ts'

const reads = openReads({ onChanged, nowMs })
export const ReadsContext = createContext<Reads>(reads)

/** What was read last is kept, so that a page that opens again is drawn at once. Emptied when the account is locked. */
export function forgetReads(): void {
  reads.forget()
}

/** Reads by a command, and again when the worker says that the topic has changed. */
export function useRead<Name extends CommandName>(
  name: Name,
  topic: Topic,
  ...input: InputOf<Name>
): Read<OutputOf<Name>> {
  const of = use(ReadsContext)
  const key = JSON.stringify([name, input])
  const follow = useCallback(
    (changed: () => void) => {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the key was made of this name and input
      const [, given] = JSON.parse(key) as [Name, InputOf<Name>]
      return of.follow(key, topic, () => call(name, ...given), changed)
    },
    [of, key, name, topic],
  )
  const read = () => of.read(key) as Read<OutputOf<Name>>
  return useSyncExternalStore(follow, read, read)
}
