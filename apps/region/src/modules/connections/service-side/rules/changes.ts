import type { ServiceEventKind, SlotChange } from '@sealpost/protocol'
import type { RequestRow } from '../../../services/index.ts'
import type { PresentSlot } from '../model.ts'

export type SlotEventKind = Extract<
  ServiceEventKind,
  'field_updated' | 'field_deleted' | 'consent_accepted' | 'consent_declined'
>

/** The field and number of a change, which stand at different places in its two forms. */
export function slotOf(change: SlotChange): { readonly fieldId: string; readonly rev: number } {
  const { request_field_id: fieldId, rev } = change.act === 'set' ? change.answer : change
  return { fieldId, rev }
}

/**
 * The event that a change raises. Null for a change without effect: its row is no longer published, the slot has a newer
 * change, or there is no value to attest or delete.
 */
export function eventKindOf(
  change: SlotChange,
  row: RequestRow | undefined,
  present: PresentSlot | undefined,
): SlotEventKind | null {
  if (row === undefined || (present !== undefined && slotOf(change).rev <= present.rev)) return null
  switch (change.act) {
    case 'set':
      return change.cause === 'consent' ? 'consent_accepted' : 'field_updated'
    case 'attest':
      return present?.state === 'answered' ? 'field_updated' : null
    case 'drop':
      return present?.state === 'answered' ? 'field_deleted' : null
    case 'decline':
      return 'consent_declined'
  }
}
