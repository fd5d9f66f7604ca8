import type { ServiceEventKind, SlotChange } from '@sealpost/protocol'
import type { RequestRow } from '../../../services/index.ts'
import type { PresentSlot } from '../store/slots.ts'

export type SlotEventKind = Extract<
  ServiceEventKind,
  'field_updated' | 'field_deleted' | 'consent_accepted' | 'consent_declined'
>

/** Who answers a slot, and with which number: the two forms that a change can have. */
export function slotOf(change: SlotChange): { readonly fieldId: string; readonly rev: number } {
  const { request_field_id: fieldId, rev } = change.act === 'set' ? change.answer : change
  return { fieldId, rev }
}

/**
 * The event that a change raises; null for one that comes to nothing: its row is not published any more, a newer word
 * about the slot is known, or there is no value that it could be about.
 */
export function judgeChange(
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
