import Type, { type Static, type TProperties } from 'typebox'
import { eventAttestationMembers } from '../wire/attestation.ts'
import {
  NullableSha256,
  NullableShareCode,
  NullableTimestamp,
  NullableUuid,
  nullableBoolean,
  nullableChoice,
  nullableText,
  Sha256,
  Timestamp,
  Uuid,
} from '../wire/scalars.ts'
import { senderMember } from '../wire/sender.ts'
import { NullableWrapperString, WrapperString } from '../wire/wrapper.ts'
import { type EventEntry, perAskedPerson, perChallengedPerson, perDocument, perField } from './entry.ts'

/** The events of a service, on its pull feed and its webhooks. `test` is only sent by the test of a webhook. */
export type ServiceEventKind =
  | 'connection_created'
  | 'connection_deleted'
  | 'field_updated'
  | 'field_deleted'
  | 'consent_accepted'
  | 'consent_declined'
  | 'document_status_changed'
  | 'document_created'
  | 'document_updated'
  | 'document_deleted'
  | 'connection_request_accepted'
  | 'connection_request_rejected'
  | 'flow_run_turn'
  | 'flow_completed'
  | 'flow_cancelled'
  | '2fa_challenge_completed'
  | 'key_rotated'
  | 'message_received'
  | 'test'

const CustomerType = Type.Enum(['person', 'company'])
const customerType = { customer_type: CustomerType } as const
const flowRun = { flow_run_id: Uuid } as const
const documentFacts = {
  document_id: Uuid,
  name: Type.String(),
  kind: Type.Enum(['document', 'agreement', 'subscription']),
  payload_kind: Type.Enum(['json', 'file']),
} as const

/** Sealed text, or for files the path to read it from. */
const slotValue = {
  type: Type.Optional(Type.String()),
  live: Type.Boolean(),
  value: Type.Optional(WrapperString),
  value_url: Type.Optional(Type.String({ description: 'Path-absolute; relative to `api_url`.' })),
  ...eventAttestationMembers,
  ...senderMember,
  flow_id: Type.Optional(
    Type.String({ format: 'uuid', description: 'Set for a value that a run of this flow has brought.' }),
  ),
} as const

/** The customer may have withdrawn the value before the event is delivered. */
const providedValue = {
  ...slotValue,
  live: Type.Optional(Type.Boolean({ description: 'Absent when the value is gone.' })),
  value: Type.Optional(NullableWrapperString),
} as const

export const serviceEvents = {
  connection_created: {
    about: 'A customer connected.',
    schema: serviceEvent('connection_created', customerType),
    collapse: null,
  },
  connection_deleted: {
    about: 'A customer disconnected, or the service ended the connection.',
    schema: serviceEvent('connection_deleted', customerType),
    collapse: null,
  },
  field_updated: {
    about: 'A live value changed, or gained or lost its verification. Shows the state at delivery.',
    schema: serviceEvent('field_updated', { slug: Type.String(), ...slotValue }),
    collapse: perField,
  },
  field_deleted: {
    about: 'A live value was removed.',
    schema: serviceEvent('field_deleted', { slug: Type.String() }),
    collapse: perField,
  },
  consent_accepted: {
    about:
      'A customer provided a field that was requested after they had connected. Shows the value at delivery, or null.',
    schema: serviceEvent('consent_accepted', { slug: Type.String(), ...providedValue }),
    collapse: null,
  },
  consent_declined: {
    about: 'A customer declined such a field; the connection stays.',
    schema: serviceEvent('consent_declined', { slug: Type.String() }),
    collapse: null,
  },
  document_status_changed: {
    about: 'A customer signed, accepted or cancelled, or a contract run opened or ended a copy.',
    schema: serviceEvent('document_status_changed', {
      document_id: Uuid,
      status: Type.Enum(['offering', 'ready_to_sign', 'active', 'active_but_ending', 'ended']),
      action: nullableChoice(['signed', 'accepted', 'cancelled']),
      method: nullableChoice(['biometric', 'twofa', 'email', 'custodian']),
      content_sha256: NullableSha256,
      signed_at: NullableTimestamp,
      cancel_effective_date: nullableText({ format: 'date' }),
      sealed_at: NullableTimestamp,
      plain_sha256: NullableSha256,
      signer_first_name: nullableText(),
      signer_last_name: nullableText(),
      signer_name_verified: nullableBoolean(),
      note: nullableText({ description: 'The reason that the customer gave when cancelling.' }),
    }),
    collapse: perDocument,
  },
  document_created: {
    about: 'A document for one customer was created.',
    schema: serviceEvent('document_created', documentFacts),
    collapse: null,
  },
  document_updated: {
    about: 'A document for one customer changed.',
    schema: serviceEvent('document_updated', documentFacts),
    collapse: null,
  },
  document_deleted: {
    about: 'A document for one customer was deleted.',
    schema: serviceEvent('document_deleted', documentFacts),
    collapse: null,
  },
  connection_request_accepted: {
    about: 'A person accepted a connect request; `connection_created` comes too.',
    schema: serviceEvent('connection_request_accepted', { request_id: Uuid }),
    collapse: perAskedPerson,
  },
  connection_request_rejected: {
    about: 'A person rejected a connect request.',
    schema: serviceEvent('connection_request_rejected', { request_id: Uuid }),
    collapse: perAskedPerson,
  },
  flow_run_turn: {
    about: 'A run waits for another party, or a signing step opened.',
    schema: serviceEvent('flow_run_turn', { ...flowRun, awaiting_party: Type.String() }),
    collapse: null,
  },
  flow_completed: {
    about: 'A run is complete.',
    schema: serviceEvent('flow_completed', flowRun),
    collapse: null,
  },
  flow_cancelled: {
    about: 'A run was cancelled, for any reason.',
    schema: serviceEvent('flow_cancelled', {
      ...flowRun,
      cancelled_by: Type.String({ description: 'The key of a party, or `system`.' }),
    }),
    collapse: null,
  },
  '2fa_challenge_completed': {
    about: 'A challenge was approved, denied or revoked. Polling the challenge stays authoritative.',
    schema: serviceEvent('2fa_challenge_completed', {
      challenge_id: Uuid,
      status: Type.Enum(['approved', 'denied', 'revoked']),
      completed_at: Timestamp,
    }),
    collapse: perChallengedPerson,
  },
  key_rotated: {
    about: 'Reserved: keys are never replaced, so it never occurs. It may be subscribed to.',
    schema: serviceEvent('key_rotated', { public_key_sha256: Sha256 }),
    collapse: null,
  },
  message_received: {
    about: 'A customer wrote a message.',
    schema: serviceEvent('message_received', {
      connection_id: Uuid,
      message_id: Uuid,
      person_public_key: Type.String({ description: 'Base64 DER SPKI; seal the reply to it.' }),
      created_at: Timestamp,
      body: WrapperString,
    }),
    collapse: null,
  },
  test: {
    about: 'Sent once by the test of a webhook, outside of queue and health.',
    schema: Type.Object({
      id: Uuid,
      event: Type.Literal('test'),
      person_user_id: Type.Null(),
      share_code: Type.Null(),
      at: Timestamp,
      connection_id: Type.Null(),
      service_id: Uuid,
      customer_type: Type.Null(),
    }),
    collapse: null,
  },
} as const satisfies Record<ServiceEventKind, EventEntry>

export type ServiceEvent<Kind extends ServiceEventKind = ServiceEventKind> = {
  [K in Kind]: Static<(typeof serviceEvents)[K]['schema']>
}[Kind]

/** The names that a webhook may list in `events`. */
export type SubscribableEventKind = Exclude<ServiceEventKind, 'test'>

/** The events that a feed can hold: all except the test of a webhook. */
export type QueuedEvent = ServiceEvent<SubscribableEventKind>

const { test: _neverQueued, ...queued } = serviceEvents
export const queuedEvents: Pick<typeof serviceEvents, SubscribableEventKind> = queued

export function isSubscribable(kind: string): kind is SubscribableEventKind {
  return kind !== 'test' && Object.hasOwn(serviceEvents, kind)
}

function serviceEvent<const Kind extends ServiceEventKind, Members extends TProperties>(kind: Kind, members: Members) {
  return Type.Object({
    id: Uuid,
    event: Type.Literal(kind),
    person_user_id: Uuid,
    share_code: NullableShareCode,
    at: Timestamp,
    connection_id: NullableUuid,
    service_id: Uuid,
    // Absent in events that an earlier release has stored.
    customer_type: Type.Optional(CustomerType),
    ...members,
  })
}
