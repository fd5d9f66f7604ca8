import type { Instant } from '@sealpost/kernel'
import type { AskedRow, SlotChange } from '@sealpost/protocol'
import type { Answered, Mapping } from '../model.ts'
import type { Planned } from './decisions.ts'
import { isMandatory, rowIdOf } from './rows.ts'

export type Cause = Extract<SlotChange, { readonly act: 'set' }>['cause']

export interface Remap {
  readonly sets: readonly { readonly planned: Planned; readonly cause: Cause }[]
  readonly withdrawals: readonly Answered[]
  /** Slugs of mandatory rows whose answer would be withdrawn. */
  readonly missing: readonly string[]
}

/**
 * [Note: what a re-map changes] A re-map changes the slots that its decisions name, and no others. A decision that repeats
 * the current answer keeps the slot, `none` withdraws it, any other decision sets it. Setting a slot without an answer
 * counts as consent, not as a re-map; withdrawing one has no effect.
 */
export function planRemap(
  rows: readonly AskedRow[],
  mappings: readonly Mapping[],
  planned: readonly Planned[],
  withdrawn: ReadonlySet<string>,
): Remap {
  const answered = mappings.filter(isAnswered)
  const withdrawals = answered.filter(({ requestFieldId }) => withdrawn.has(requestFieldId))
  const gone = new Set<string>(withdrawals.map(({ requestFieldId }) => requestFieldId))
  const missing = rows.filter((row) => isMandatory(row) && gone.has(row.id)).map(({ slug }) => slug)
  return { sets: planSets(answered, planned), withdrawals, missing }
}

/**
 * [Note: a consent is answered once] Sets pending rows. One that was answered or declined is refused, since its answer may
 * be newer than the page that the customer saw; a re-map changes it on purpose. The decisions that answered rows are
 * recognized by their digests, so a repeated call is answered like the first one.
 */
export function planConsent(mappings: readonly Mapping[], planned: readonly Planned[]): ConsentPlan {
  const decided = new Set<string>(mappings.map(({ requestFieldId }) => requestFieldId))
  const answered = planned.filter(({ row }) => decided.has(row.id)).map(({ row }) => row.slug)
  return { sets: planSets([], planned), withdrawals: [], missing: [], answered }
}

export interface ConsentPlan extends Remap {
  /** Slugs of rows that are no longer pending. */
  readonly answered: readonly string[]
}

/** Whether an earlier call has stored exactly these decisions. */
export function isRepeated(mappings: readonly Mapping[], digests: ReadonlyMap<string, string>): boolean {
  const stored = new Map<string, string | null>(
    mappings.filter(isAnswered).map(({ requestFieldId, decisionSha256 }) => [requestFieldId, decisionSha256]),
  )
  return digests.size > 0 && [...digests].every(([id, digest]) => stored.get(id) === digest)
}

export function isAnswered(mapping: Mapping): mapping is Answered {
  return mapping.state === 'answered'
}

function planSets(answered: readonly Answered[], planned: readonly Planned[]): Remap['sets'] {
  const known = new Set<string>(answered.map(({ requestFieldId }) => requestFieldId))
  return planned
    .filter(({ content }) => content.from !== 'kept')
    .map((each) => ({ planned: each, cause: known.has(each.row.id) ? 'remap' : 'consent' }))
}

export function mappingOf(
  { row, kind, live, source }: Planned,
  { rev, at }: { readonly rev: number; readonly at: Instant },
  decisionSha256: string | null,
): Answered {
  return {
    state: 'answered',
    requestFieldId: rowIdOf(row),
    kind,
    live,
    sourceFieldId: source?.value.fieldId ?? null,
    rev,
    providedAt: at,
    decisionSha256,
  }
}
