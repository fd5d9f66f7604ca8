import { type Failure, failureOf } from '@sealpost/ui'
import { useCallback, useEffect, useState } from 'react'
import type { Topic } from '../worker/context.ts'
import type { CommandName, InputOf, OutputOf } from '../worker/messages.ts'
import { call, onChanged } from './worker-client.ts'

export type Read<T> =
  | { readonly state: 'pending' }
  | { readonly state: 'failed'; readonly failure: Failure; readonly again: () => void }
  | { readonly state: 'ready'; readonly value: T }

/** What was read last, so that a page that opens again is drawn at once. Emptied when the account is locked. */
const kept = new Map<string, unknown>()

export function forgetReads(): void {
  kept.clear()
}

/** Several places of a page read the same: they share one call, unless something has changed since it was sent. */
// oxlint-disable-next-line typescript/no-explicit-any -- each command has its own output
const underway = new Map<string, Promise<any>>()
onChanged(() => underway.clear())

function readOnce<Name extends CommandName>(key: string, name: Name, input: InputOf<Name>): Promise<OutputOf<Name>> {
  const sent = underway.get(key)
  if (sent !== undefined) return sent
  const asked = call(name, ...input).finally(() => {
    if (underway.get(key) === asked) underway.delete(key)
  })
  underway.set(key, asked)
  return asked
}

/** Reads by a command, and again when the worker says that one of the topics has changed. */
export function useRead<Name extends CommandName>(
  name: Name,
  topic: Topic,
  ...input: InputOf<Name>
): Read<OutputOf<Name>> {
  const key = JSON.stringify([name, input])
  const [read, setRead] = useState<{ readonly key: string; readonly read: Read<OutputOf<Name>> }>()
  const load = useCallback(() => {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the key was made of this name and input
    const [, given] = JSON.parse(key) as [Name, InputOf<Name>]
    readOnce(key, name, given).then(
      (value) => {
        kept.set(key, value)
        setRead({ key, read: { state: 'ready', value } })
      },
      (error: unknown) => setRead({ key, read: { state: 'failed', failure: failureOf(error), again: load } }),
    )
  }, [key, name])
  useEffect(() => {
    load()
    return onChanged((topics) => {
      if (topics.includes(topic)) load()
    })
  }, [load, topic])
  if (read?.key === key) return read.read
  if (!kept.has(key)) return { state: 'pending' }
  return { state: 'ready', value: kept.get(key) as OutputOf<Name> }
}
