import { type Failure, failureOf } from '@sealpost/ui/failure'

export type Read<T> =
  | { readonly state: 'pending' }
  | { readonly state: 'failed'; readonly failure: Failure; readonly again: () => void }
  | { readonly state: 'ready'; readonly value: T; readonly old?: Old }

/** A later attempt has failed, so what is shown may have changed since. */
export interface Old {
  readonly failure: Failure
  readonly sinceMs: number
  readonly again: () => void
}

/** What pages have read, by the command and its input. */
export interface Reads {
  read(key: string): Read<unknown>
  /** Loads, and again when the topic changes, until the answered function is called. */
  follow(key: string, topic: string, load: () => Promise<unknown>, changed: () => void): () => void
  /** The oldest of all that is followed and old; trying again repeats all of them. */
  readonly old: () => Old | null
  readonly onOld: (changed: () => void) => () => void
  /** When the account is locked. */
  forget(): void
}

export interface ReadsUses {
  readonly onChanged: (listener: (topics: readonly string[]) => void) => void
  readonly nowMs: () => number
}

interface Entry {
  read: Read<unknown>
  readAtMs: number
  readonly topic: string
  readonly load: () => Promise<unknown>
  readonly listeners: Set<() => void>
  /** Calls are numbered: an answer that was overtaken is not drawn over a later one. */
  sent: number
  answered: number
  isFresh: boolean
}

const PENDING: Read<unknown> = { state: 'pending' }

export function openReads({ onChanged, nowMs }: ReadsUses): Reads {
  const entries = new Map<string, Entry>()
  const ofOld = new Set<() => void>()
  let old: Old | null = null
  const weighOld = (): void => {
    const before = old
    old = oldestOf([...entries.values()].filter(({ listeners }) => listeners.size > 0).map(({ read }) => read))
    if (before !== null || old !== null) for (const listener of ofOld) listener()
  }
  const start = (key: string, entry: Entry): void => {
    entry.sent += 1
    entry.isFresh = true
    const call = entry.sent
    const show = (read: Read<unknown>): void => {
      if (entries.get(key) !== entry || call < entry.answered) return
      entry.answered = call
      entry.read = read
      for (const listener of entry.listeners) listener()
      weighOld()
    }
    entry.load().then(
      (value) => {
        entry.readAtMs = nowMs()
        show({ state: 'ready', value })
      },
      (error: unknown) => {
        const failure = failureOf(error)
        show(afterFailure(entry, failure, () => start(key, entry)))
      },
    )
  }
  onChanged((topics) => {
    for (const [key, entry] of entries) {
      if (!topics.includes(entry.topic)) continue
      entry.isFresh = false
      if (entry.listeners.size > 0) start(key, entry)
    }
  })
  return {
    read: (key) => entries.get(key)?.read ?? PENDING,
    follow(key, topic, load, changed) {
      const entry = entries.get(key) ?? newEntry(topic, load)
      entries.set(key, entry)
      entry.listeners.add(changed)
      // Several places of a page read the same: they share one call, unless something has changed since it was sent.
      if (entry.answered === entry.sent || !entry.isFresh) start(key, entry)
      return () => {
        entry.listeners.delete(changed)
        weighOld()
      }
    },
    old: () => old,
    onOld(changed) {
      ofOld.add(changed)
      return () => ofOld.delete(changed)
    },
    forget() {
      for (const [key, { listeners }] of entries) if (listeners.size === 0) entries.delete(key)
    },
  }
}

function newEntry(topic: string, load: Entry['load']): Entry {
  return { read: PENDING, readAtMs: 0, topic, load, listeners: new Set(), sent: 0, answered: 0, isFresh: false }
}

/** What was shown stays, and is called old; except where the failure says that it is no longer so. */
function afterFailure({ read, readAtMs }: Entry, failure: Failure, again: () => void): Read<unknown> {
  if (read.state !== 'ready' || !isPassing(failure)) return { state: 'failed', failure, again }
  return { ...read, old: { failure, sinceMs: readAtMs, again } }
}

/** It says nothing about what was asked for: the platform was out of reach, or could not answer now. */
function isPassing(failure: Failure): boolean {
  if (failure.kind === 'refused') return failure.isPassing === true
  return failure.kind === 'offline' || failure.kind === 'unexpected'
}

function oldestOf(reads: readonly Read<unknown>[]): Old | null {
  const old = reads.flatMap((read) => (read.state === 'ready' && read.old !== undefined ? [read.old] : []))
  const [oldest] = old.toSorted((one, other) => one.sinceMs - other.sinceMs)
  return oldest === undefined ? null : { ...oldest, again: allOf(old) }
}

type Values<Of> = { readonly [Name in keyof Of]: Of[Name] extends Read<infer T> ? T : never }

/** Several reads as one: ready when all are, failed when one has failed. */
export function together<Of extends Readonly<Record<string, Read<unknown>>>>(of: Of): Read<Values<Of>> {
  const reads = Object.values(of)
  const failed = reads.filter((read) => read.state === 'failed')
  const [first] = failed
  if (first !== undefined) return { ...first, again: allOf(failed) }
  if (reads.some(({ state }) => state === 'pending')) return { state: 'pending' }
  const entries = Object.entries(of).map(([name, read]) => [name, read.state === 'ready' ? read.value : undefined])
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `fromEntries` forgets which name has which type
  return { state: 'ready', value: Object.fromEntries(entries) as Values<Of> }
}

function allOf(failed: readonly { readonly again: () => void }[]): () => void {
  return () => {
    for (const { again } of failed) again()
  }
}
