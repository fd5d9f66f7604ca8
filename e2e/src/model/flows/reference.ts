import { holds, type Values, withConstants } from './evaluate.ts'
import { fieldsOf, nodeOf, waysFrom, type WrittenFlow } from './written.ts'

/** A run as the model expects it: the public part, and the answers in the clear. */
export interface RunState {
  readonly status: string
  readonly node: string
  readonly rev: number
  readonly answers: readonly KnownAnswer[]
  readonly cancelledBy: string | null
  readonly cancelReason: string | null
  /** The documents of the run, once they are made. */
  readonly copies: readonly ModelCopy[]
}

/** A participant's copy of an output. */
export interface ModelCopy {
  readonly documentId: string
  readonly outputKey: string
  readonly name: string
  readonly party: string
  /** Null for a party that only receives it. */
  readonly position: number | null
  readonly action: 'sign' | 'accept' | null
  readonly status: 'waiting' | 'ready_to_sign' | 'offering' | 'active' | 'ended'
  readonly actedAt: string | null
}

export interface KnownAnswer {
  readonly slug: string
  /** The party that gave it. */
  readonly party: string
  readonly text: string
  readonly isFile: boolean
  readonly isPrivate: boolean
}

export type RunEvent =
  | { readonly event: 'flow_run_turn'; readonly party: string }
  | { readonly event: 'flow_completed' }
  | { readonly event: 'flow_cancelled'; readonly party: string }

export interface Step {
  readonly state: RunState
  /** At most one: of the run itself. */
  readonly event: RunEvent | null
}

export function begin(flow: WrittenFlow): Step {
  const { key: node, party } = nodeOf(flow, flow.entry)
  const status = `awaiting_${party}`
  const state = { status, node, rev: 1, answers: [], cancelledBy: null, cancelReason: null, copies: [] }
  return { state, event: { event: 'flow_run_turn', party } }
}

/** `to`: the next step; null where the run ends. */
export function takeTurn(
  flow: WrittenFlow,
  before: RunState,
  answers: readonly KnownAnswer[],
  to: string | null,
): Step {
  const party = to === null ? null : nodeOf(flow, to).party
  const state: RunState = {
    ...before,
    status: party === null ? endOf(flow) : `awaiting_${party}`,
    node: to ?? before.node,
    rev: before.rev + 1,
    answers: [...before.answers, ...answers],
  }
  if (party !== null) return { state, event: state.status === before.status ? null : { event: 'flow_run_turn', party } }
  return { state, event: state.status === 'completed' ? { event: 'flow_completed' } : null }
}

function endOf({ output_mode }: WrittenFlow): string {
  return output_mode === 'document' ? 'generating' : 'completed'
}

export function cancel(before: RunState, party: string, reason: string | null): Step {
  const copies = before.copies.map((copy) => (copy.status === 'active' ? copy : { ...copy, status: 'ended' as const }))
  const ended = { status: 'cancelled', cancelledBy: party, cancelReason: reason }
  const state = { ...before, ...ended, rev: before.rev + 1, copies }
  return { state, event: { event: 'flow_cancelled', party } }
}

export function isOpen({ status }: RunState): boolean {
  return status !== 'completed' && status !== 'cancelled'
}

/** The party whose turn it is; null while documents are made, and at the end. */
export function awaited(flow: WrittenFlow, { status }: RunState): string | null {
  return flow.parties.find(({ key }) => status === `awaiting_${key}`)?.key ?? null
}

export function privateSlugs({ answers }: RunState): readonly string[] {
  return answers
    .filter(({ isPrivate }) => isPrivate)
    .map(({ slug }) => slug)
    .toSorted()
}

export type Draft = ReadonlyMap<string, string>

/** The fields of the current step that are shown once these are filled in. No `show_if` reads what comes after it. */
export function shownFields(flow: WrittenFlow, state: RunState, draft: Draft, today: string): readonly string[] {
  const shown = new Map<string, string>()
  for (const { slug, show_if } of fieldsOf(nodeOf(flow, state.node))) {
    if (!holds(show_if, valuesWith(flow, state, shown, today))) continue
    shown.set(slug, draft.get(slug) ?? '')
  }
  return [...shown.keys()]
}

/** The step that follows, by the first edge that holds; null where none does. */
export function route(flow: WrittenFlow, state: RunState, draft: Draft, today: string): string | null {
  const values = valuesWith(flow, state, draft, today)
  return waysFrom(flow, state.node).find(({ condition }) => holds(condition, values))?.to ?? null
}

/** All values of a run, constants included. */
export function valuesWith(flow: WrittenFlow, { answers }: RunState, draft: Draft, today: string): Values {
  const given = new Map<string, string>(answers.map(({ slug, text }) => [slug, text]))
  for (const [slug, text] of draft) if (text !== '') given.set(slug, text)
  return withConstants(flow.constants, given, today)
}
