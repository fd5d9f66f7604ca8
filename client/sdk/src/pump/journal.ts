/** The state of a pump: the fold of its journal, restored after a crash. */
export interface PumpState<Change> {
  binding: Binding | null
  /** An attempt whose page was not received yet. */
  attempt: PumpAttempt | null
  /** Received and not yet handled, oldest first, by event id. */
  readonly waiting: Map<string, Waiting<Change>>
  readonly dead: Map<string, DeadLetter<Change>>
  /** Received event ids, oldest first; changes with these ids are duplicates. */
  readonly known: Set<string>
}

/** The one channel that a store belongs to. */
export interface Binding {
  readonly feed: 'service' | 'customer'
  readonly channel: string
  /** The service or account whose feed it is. */
  readonly owner: string
}

export interface PumpAttempt {
  readonly id: string
  /** Part of the attempt: with another limit the platform refuses it. */
  readonly limit: number
  readonly askedAtMs: number
}

export interface Waiting<Change> {
  readonly change: Change
  readonly failures: number
}

/** A change whose handler failed too often. */
export interface DeadLetter<Change> {
  readonly change: Change
  readonly failures: number
  /** The last error of the handler. */
  readonly error: { readonly name: string; readonly message: string }
  readonly diedAtMs: number
}

export type JournalRecord<Change> =
  | { readonly k: 'bound'; readonly v: 1; readonly binding: Binding }
  | { readonly k: 'asked'; readonly attempt: PumpAttempt }
  | { readonly k: 'page'; readonly changes: readonly Change[] }
  | { readonly k: 'failed'; readonly id: string; readonly failures: number }
  | { readonly k: 'done'; readonly id: string }
  | { readonly k: 'dead'; readonly letter: DeadLetter<Change> }
  | { readonly k: 'retried'; readonly id: string }
  | { readonly k: 'discarded'; readonly id: string }
  | { readonly k: 'known'; readonly ids: readonly string[] }
  | { readonly k: 'kept'; readonly entry: Waiting<Change> }

type Kind = JournalRecord<unknown>['k']

/**
 * Durable records are synced before the pump goes on. Losing one of the others in a power cut only means that a change is
 * handled once more.
 */
const IS_DURABLE = {
  bound: true,
  asked: true,
  page: true,
  failed: false,
  done: false,
  dead: true,
  retried: true,
  discarded: true,
  known: true,
  kept: true,
} as const satisfies Record<Kind, boolean>

export interface Identified {
  readonly id: string
}

export function emptyState<Change>(): PumpState<Change> {
  return { binding: null, attempt: null, waiting: new Map(), dead: new Map(), known: new Set() }
}

export function isDurable(record: JournalRecord<unknown>): boolean {
  // An empty page only ends its attempt: repeating that attempt does no harm.
  return IS_DURABLE[record.k] && !(record.k === 'page' && record.changes.length === 0)
}

export function applyRecord<Change extends Identified>(state: PumpState<Change>, record: JournalRecord<Change>): void {
  switch (record.k) {
    case 'bound':
      state.binding = record.binding
      return
    case 'asked':
      state.attempt = record.attempt
      return
    case 'page':
      state.attempt = null
      for (const change of record.changes) keep(state, { change, failures: 0 })
      return
    case 'kept':
      keep(state, record.entry)
      return
    case 'known':
      for (const id of record.ids) state.known.add(id)
      return
    case 'failed':
    case 'done':
    case 'dead':
    case 'retried':
    case 'discarded':
      applyOutcome(state, record)
  }
}

function keep<Change extends Identified>(state: PumpState<Change>, entry: Waiting<Change>): void {
  state.waiting.set(entry.change.id, entry)
  state.known.add(entry.change.id)
}

type Outcome<Change> = Extract<JournalRecord<Change>, { k: 'failed' | 'done' | 'dead' | 'retried' | 'discarded' }>

function applyOutcome<Change extends Identified>(state: PumpState<Change>, record: Outcome<Change>): void {
  switch (record.k) {
    case 'failed': {
      const entry = state.waiting.get(record.id)
      if (entry !== undefined) state.waiting.set(record.id, { ...entry, failures: record.failures })
      return
    }
    case 'done':
      state.waiting.delete(record.id)
      return
    case 'dead':
      state.waiting.delete(record.letter.change.id)
      state.dead.set(record.letter.change.id, record.letter)
      return
    case 'retried': {
      const letter = state.dead.get(record.id)
      if (letter !== undefined) state.waiting.set(record.id, { change: letter.change, failures: 0 })
      state.dead.delete(record.id)
      return
    }
    case 'discarded':
      state.dead.delete(record.id)
  }
}

/** Records that fold to the same state. */
export function recordsOf<Change>(state: PumpState<Change>): readonly JournalRecord<Change>[] {
  return [
    ...(state.binding === null ? [] : [{ k: 'bound', v: 1, binding: state.binding } as const]),
    { k: 'known', ids: [...state.known] },
    ...[...state.dead.values()].map((letter) => ({ k: 'dead', letter }) as const),
    ...[...state.waiting.values()].map((entry) => ({ k: 'kept', entry }) as const),
    ...(state.attempt === null ? [] : [{ k: 'asked', attempt: state.attempt } as const]),
  ]
}

/**
 * Restores the state from the lines. A process that died while writing leaves a torn line with no durable record after
 * it: the torn end is ignored. Null when a durable record follows an unreadable line, so the file was damaged.
 */
export function readState<Change extends Identified>(lines: readonly string[]): PumpState<Change> | null {
  const state = emptyState<Change>()
  let isTorn = false
  for (const line of lines) {
    const record = parseRecord<Change>(line)
    if (record === null) isTorn = true
    else if (!isTorn) applyRecord(state, record)
    else if (isDurable(record)) return null
  }
  return state
}

function parseRecord<Change>(line: string): JournalRecord<Change> | null {
  try {
    const parsed: unknown = JSON.parse(line)
    if (typeof parsed !== 'object' || parsed === null || !('k' in parsed)) return null
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- complete lines of this kind are written by this file only
    return typeof parsed.k === 'string' && parsed.k in IS_DURABLE ? (parsed as JournalRecord<Change>) : null
  } catch {
    return null
  }
}
