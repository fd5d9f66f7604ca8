import type { AskedRow, SlotChange } from '@sealpost/protocol'
import type { Answered, Mapping } from '../connection.ts'
import type { Planned } from './decisions.ts'

export type Cause = Extract<SlotChange, { readonly act: 'set' }>['cause']

export interface Remap {
  readonly sets: readonly { readonly planned: Planned; readonly cause: Cause }[]
  readonly drops: readonly Answered[]
  /** Slugs that must stay connected and would not. */
  readonly missing: readonly string[]
}

/**
 * [Note: what a re-map replaces] The live mappings. A decision that keeps its slot changes nothing; another one sets it.
 * A live slot that no decision names is withdrawn. Snapshots were handed over once and declined rows are decided: both
 * stay unless a decision names them. A slot that had no answer counts as consented to, not as re-mapped.
 */
export function planRemap(rows: readonly AskedRow[], mappings: readonly Mapping[], planned: readonly Planned[]): Remap {
  const named = new Set<string>(planned.map(({ row }) => row.id))
  const answered = mappings.filter(isAnswered)
  const drops = answered.filter(({ live, requestFieldId }) => live && !named.has(requestFieldId))
  const dropped = new Set<string>(drops.map(({ requestFieldId }) => requestFieldId))
  const missing = rows.filter(({ id, mandatory_connected: must }) => must && dropped.has(id)).map(({ slug }) => slug)
  return { sets: planSets(answered, planned), drops, missing }
}

/** Provides what is pending or declined. What is answered stays, so that the same call twice changes nothing more. */
export function planConsent(mappings: readonly Mapping[], planned: readonly Planned[]): Remap {
  const answered = new Set<string>(mappings.filter(isAnswered).map(({ requestFieldId }) => requestFieldId))
  const fresh = planned.filter(({ row }) => !answered.has(row.id))
  return { sets: planSets([], fresh), drops: [], missing: [] }
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
