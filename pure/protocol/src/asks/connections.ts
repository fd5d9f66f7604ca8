import Type, { type Static } from 'typebox'
import { defineAsk } from '../ask.ts'
import { defineTell } from '../tell.ts'
import {
  NullableShareCode,
  NullableTimestamp,
  nullableText,
  NullableUuid,
  Sha256,
  Timestamp,
  Uuid,
} from '../wire/scalars.ts'

const userType = Type.Enum(['person', 'company'])
const audience = Type.Enum(['person', 'company', 'both'])

/** Identifies a service. The company is the first part of every key on the service's side. */
const addressed = { company_id: Uuid, service_id: Uuid } as const
/** Tells about a connection are ordered by its id. */
const connected = { ...addressed, connection_id: Uuid } as const

/** States that a provider verified the value; the members of the wire, all or none. */
export const Attested = Type.Object({
  verified_hash: Sha256,
  verified_salt: Type.String(),
  verified_at: Timestamp,
  verified_expires_at: NullableTimestamp,
  verified_method: nullableText(),
  verified_provider: nullableText(),
  verification_id: nullableText(),
  /** Absent without one: a region of the version before sends none. */
  verified_statement: Type.Optional(Type.String()),
})
export type Attested = Static<typeof Attested>

export const CardEntry = Type.Object({
  slug: Type.String(),
  label: Type.String(),
  type: Type.String(),
  value: Type.String(),
})
export type CardEntry = Static<typeof CardEntry>

/**
 * A request row, as regions send it. `field_type` is its resolved type, so that both sides validate alike; on the wire
 * that member is `resolved_type`.
 */
export const AskedRow = Type.Object({
  id: Uuid,
  slug: Type.String(),
  label: Type.String(),
  type: Type.String(),
  field_type: Type.Object({}, { additionalProperties: true }),
  lane: Type.Enum(['inline', 'photo', 'document']),
  one_time: Type.Boolean(),
  mandatory_provide: Type.Boolean(),
  mandatory_connected: Type.Boolean(),
  audience,
  verified: Type.Boolean(),
  verified_max_age_days: Type.Unsafe<number | null>({ type: ['integer', 'null'] }),
  plugin: Type.Unsafe<Readonly<Record<string, unknown>> | null>({ type: ['object', 'null'] }),
})
export type AskedRow = Static<typeof AskedRow>

/** The part of a service that a customer may see. `rev` rises with every change; a lower one is outdated. */
export const ServiceFacts = Type.Object({
  ...addressed,
  rev: Type.Integer(),
  company: Type.Object({ display_name: Type.String(), share_code: Type.String() }),
  name: Type.String(),
  code: Type.String(),
  audience,
  /** Persons need a second factor to connect; a region of the release before does not say so. */
  require_2fa: Type.Optional(Type.Boolean()),
  public_key: Type.String(),
  rows: Type.Array(AskedRow),
  card: Type.Array(CardEntry),
  photo_ids: Type.Array(Uuid),
})
export type ServiceFacts = Static<typeof ServiceFacts>

/** The connecting customer, as the service will see it. */
export const CustomerFacts = Type.Object({
  user_id: Uuid,
  user_type: userType,
  region: Type.String(),
  share_code: Type.String(),
  display_name: Type.String(),
  public_key: Type.String(),
})
export type CustomerFacts = Static<typeof CustomerFacts>

/**
 * A file as the service's side will serve it: the object holds exactly the bytes of the answer, so one digest serves
 * the transport, the header and the record. `sealed` and `envelope` are the two JSON forms, `raw` the file itself.
 */
export const SlotFile = Type.Object({
  form: Type.Enum(['sealed', 'envelope', 'raw']),
  content_type: Type.String(),
  sha256: Sha256,
  bytes: Type.Integer({ minimum: 1 }),
})
export type SlotFile = Static<typeof SlotFile>

/** `rev` rises per slot, at the customer's side. */
const slot = { request_field_id: Uuid, rev: Type.Integer() } as const
/** A link of an answer of a flow; numbered like slots. */
const link = { flow_id: Uuid, slug: Type.String(), rev: Type.Integer() } as const

export const SlotAnswer = Type.Object({
  ...slot,
  live: Type.Boolean(),
  is_private: Type.Boolean(),
  /** A wrapper string; null for a file. */
  value: nullableText(),
  file: Type.Union([Type.Null(), SlotFile]),
  /** Of the customer's device; absent without one. */
  sender_signature: Type.Optional(Type.String()),
  attested: Type.Union([Type.Null(), Attested]),
  at: Timestamp,
})
export type SlotAnswer = Static<typeof SlotAnswer>

/**
 * A read: resolves a code, or reads the current state of a known service; exactly one of the two is set. Null when the
 * company has no such service.
 */
export const lookUpServiceAsk = defineAsk({
  command: 'connections.look_up_service',
  idempotency: 'none',
  body: Type.Object({ company_id: Uuid, code: nullableText(), service_id: NullableUuid }),
  reply: Type.Object({ facts: Type.Union([Type.Null(), ServiceFacts]) }),
})

/** Copies a file into the service's region before `connectAsk` names it. Unused files are deleted after a day. */
export const takeFileAsk = defineAsk({
  command: 'connections.take_file',
  idempotency: 'none',
  body: Type.Object({ ...addressed, url: Type.String(), sha256: Sha256, bytes: Type.Integer() }),
  reply: Type.Object({ object_key: nullableText() }),
})

/** `files`: request row → object made by `takeFileAsk`, for every answer that is a file. */
export const connectAsk = defineAsk({
  command: 'connections.connect',
  idempotency: 'stored',
  body: Type.Object({
    ...connected,
    customer: CustomerFacts,
    answers: Type.Array(SlotAnswer),
    files: Type.Record(Type.String(), Type.String()),
    /** The connect request that this accepts. */
    request_id: Type.Union([Type.Null(), Uuid]),
  }),
  reply: Type.Union([
    Type.Object({ outcome: Type.Literal('connected'), connected_at: Timestamp, facts: ServiceFacts }),
    /** Another connection of this pair exists; the customer's side keeps that one. */
    Type.Object({ outcome: Type.Literal('exists'), connection_id: Uuid, connected_at: Timestamp, facts: ServiceFacts }),
    Type.Object({ outcome: Type.Literal('no_service') }),
    Type.Object({ outcome: Type.Literal('audience') }),
    Type.Object({ outcome: Type.Literal('no_request') }),
    Type.Object({ outcome: Type.Literal('mandatory_missing'), slugs: Type.Array(Type.String()) }),
    Type.Object({
      outcome: Type.Literal('invalid'),
      details: Type.Array(Type.Object({ path: Type.String(), message: Type.String() })),
    }),
  ]),
})

export const endConnectionAsk = defineAsk({
  command: 'connections.end',
  idempotency: 'stored',
  body: Type.Object({ ...connected, customer_id: Uuid }),
  reply: Type.Object({ outcome: Type.Enum(['ended', 'gone', 'active_contract']) }),
})

/** To the customer's region. The reply of `connectAsk` may be lost; this tell cannot. */
export const connectionOpenedTell = defineTell({
  kind: 'connections.opened',
  version: 1,
  body: Type.Object({ ...connected, customer_id: Uuid, connected_at: Timestamp }),
})

export const connectionEndedTell = defineTell({
  kind: 'connections.ended',
  version: 1,
  body: Type.Object({ ...connected, customer_id: Uuid, by: Type.Enum(['customer', 'service']) }),
})

/** Sent once per region that has customers of the service; ordered by the service's id. */
export const serviceFactsTell = defineTell({
  kind: 'connections.service_facts',
  version: 1,
  body: ServiceFacts,
})

/** Sent once per region: every connection of the service there has ended. */
export const serviceEndedTell = defineTell({
  kind: 'connections.service_ended',
  version: 1,
  body: Type.Object(addressed),
})

/** To the service's region. A file that a change names is the tell's attachment, so such a tell has one change. */
export const slotsChangedTell = defineTell({
  kind: 'connections.slots_changed',
  version: 1,
  body: Type.Object({
    ...connected,
    changes: Type.Array(
      Type.Union([
        Type.Object({ act: Type.Literal('set'), cause: Type.Enum(['edit', 'consent', 'remap']), answer: SlotAnswer }),
        /** The value stays; its verification changes. */
        Type.Object({
          act: Type.Literal('attest'),
          ...slot,
          attested: Type.Union([Type.Null(), Attested]),
          at: Timestamp,
        }),
        Type.Object({ act: Type.Literal('drop'), ...slot, at: Timestamp }),
        Type.Object({ act: Type.Literal('decline'), ...slot, at: Timestamp }),
        /** The current copy of a field that an answer of a flow is linked to. */
        Type.Object({
          act: Type.Literal('set_link'),
          ...link,
          type: Type.String(),
          is_private: Type.Boolean(),
          value: nullableText(),
          file: Type.Union([Type.Null(), SlotFile]),
          attested: Type.Union([Type.Null(), Attested]),
          at: Timestamp,
        }),
        Type.Object({
          act: Type.Literal('attest_link'),
          ...link,
          attested: Type.Union([Type.Null(), Attested]),
          at: Timestamp,
        }),
        Type.Object({ act: Type.Literal('drop_link'), ...link, at: Timestamp }),
      ]),
    ),
  }),
})
export type SlotsChanged = ReturnType<(typeof slotsChangedTell)['parse']>
export type AnyChange = SlotsChanged['changes'][number]
export type LinkChange = Extract<AnyChange, { readonly act: `${string}_link` }>
export type SlotChange = Exclude<AnyChange, LinkChange>

/** To the service's region: the account is erased, or its side does not know a connection it was told about. */
export const customerGoneTell = defineTell({
  kind: 'connections.customer_gone',
  version: 1,
  body: Type.Object({ ...connected, customer_id: Uuid, is_erased: Type.Boolean() }),
})

/** To the service's region, once per service region: a customer has a new name. */
export const customerRenamedTell = defineTell({
  kind: 'connections.customer_renamed',
  version: 1,
  body: Type.Object({ customer_id: Uuid, display_name: Type.String(), rev: Type.Integer() }),
})

/** To the person's region; ordered by the request's id, like its answer. */
export const connectRequestedTell = defineTell({
  kind: 'connections.requested',
  version: 1,
  body: Type.Object({
    ...addressed,
    request_id: Uuid,
    customer_id: Uuid,
    company: Type.Object({ display_name: Type.String(), share_code: NullableShareCode }),
    service_name: Type.String(),
    service_code: Type.String(),
    message: nullableText(),
    created_at: Timestamp,
    expires_at: Timestamp,
  }),
})

/** To the person's region: the request is withdrawn or lapsed, so there is nothing left to answer. */
export const connectRequestClosedTell = defineTell({
  kind: 'connections.request_closed',
  version: 1,
  body: Type.Object({ request_id: Uuid, customer_id: Uuid }),
})

/** To the service's region; an acceptance is a `connectAsk` that names the request. */
export const connectRequestRejectedTell = defineTell({
  kind: 'connections.request_rejected',
  version: 1,
  body: Type.Object({ ...addressed, request_id: Uuid, customer_id: Uuid, at: Timestamp }),
})

/**
 * A read: a URL from which the customer's region may fetch a photo of a business card for a few minutes. Null when the
 * photo is not shown.
 */
export const readCardPhotoAsk = defineAsk({
  command: 'connections.read_card_photo',
  idempotency: 'none',
  body: Type.Object({ ...addressed, photo_id: Uuid }),
  reply: Type.Object({
    photo: Type.Union([
      Type.Null(),
      Type.Object({
        url: Type.String(),
        sha256: Sha256,
        bytes: Type.Integer({ minimum: 1 }),
        content_type: Type.String(),
      }),
    ]),
  }),
})
