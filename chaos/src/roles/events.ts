import type { ConnectionId, Ids, ServiceId, UserId } from '@sealpost/kernel'
import { collapseKey, serviceEvents, type SubscribableEventKind } from '@sealpost/protocol'
import type { NewEvent } from '@sealpost/region/feed'
import type { Slot } from './customer.ts'

/** Kinds that a run publishes: five that never collapse and three that do. */
export const KINDS = [
  'document_created',
  'document_updated',
  'flow_completed',
  'flow_cancelled',
  'connection_deleted',
  'connection_request_accepted',
  '2fa_challenge_completed',
  'field_updated',
] as const satisfies readonly SubscribableEventKind[]
export type Kind = (typeof KINDS)[number]

/** A service, as the publisher process gets it as JSON. */
export interface EventOwner {
  readonly number: number
  readonly companyId: UserId
  readonly serviceId: ServiceId
  readonly slot: Slot | null
  readonly personIds: readonly UserId[]
}

export interface MadeEvent {
  readonly event: NewEvent
  /** A unique id in the payload; null where the event is rendered at delivery. */
  readonly mark: string | null
}

export function makeEvent(ids: Ids, owner: EventOwner, kind: Kind, person: number): MadeEvent {
  const { companyId, serviceId, slot, personIds } = owner
  const mark = ids.uuid<ConnectionId>()
  const personId = personIds[person % personIds.length] ?? companyId
  const base = { owner: { kind: 'service', companyId, serviceId }, kind } as const
  const who = { person_user_id: personId, share_code: null }
  if (kind === 'field_updated') {
    if (slot === null) throw new Error('a field event needs a connection')
    const { connectionId, slug, requestFieldId } = slot
    const key = collapseKey(serviceEvents[kind].collapse, {
      connection_id: connectionId,
      request_field_id: requestFieldId,
    })
    const payload = { ...who, slug, request_field_id: requestFieldId }
    return { event: { ...base, connectionId, payload, key }, mark: null }
  }
  const connectionId = kind === 'connection_deleted' ? mark : null
  const key = collapseKey(serviceEvents[kind].collapse, { service_id: serviceId, person_user_id: personId })
  return { event: { ...base, connectionId, payload: { ...who, ...membersOf(kind, mark) }, key }, mark }
}

function membersOf(kind: Exclude<Kind, 'field_updated'>, mark: string): Readonly<Record<string, unknown>> {
  switch (kind) {
    case 'document_created':
    case 'document_updated':
      return { document_id: mark, name: 'A document', kind: 'document', payload_kind: 'json' }
    case 'flow_completed':
      return { flow_run_id: mark }
    case 'flow_cancelled':
      return { flow_run_id: mark, cancelled_by: 'system' }
    case 'connection_deleted':
      return { customer_type: 'person' }
    case 'connection_request_accepted':
      return { request_id: mark }
    case '2fa_challenge_completed':
      return { challenge_id: mark, status: 'approved', completed_at: COMPLETED_AT }
  }
}

const COMPLETED_AT = '2026-01-01T00:00:00.000+00:00'
const MARKS = /(?:document_id|flow_run_id|request_id|challenge_id|connection_id)[":>\s]+([0-9a-f]{8}-[0-9a-f-]{27})/

/** The mark in a body, in either format. */
export function markIn(body: string): string | null {
  return MARKS.exec(body)?.[1] ?? null
}
