import Type, { type Static } from 'typebox'
import { defineAsk } from '../ask.ts'
import { defineTell } from '../tell.ts'
import {
  documentKinds,
  DocumentMetadata,
  documentStatuses,
  RunSignature,
  SignatureFacts,
  signingMethods,
} from '../wire/document.ts'
import {
  NullableSha256,
  nullableText,
  NullableTimestamp,
  NullableUuid,
  Sha256,
  Timestamp,
  Uuid,
} from '../wire/scalars.ts'

const addressed = { company_id: Uuid, service_id: Uuid } as const
const connected = { ...addressed, connection_id: Uuid, customer_id: Uuid } as const

/** Members that only change by an edit of the company or an act; `rev` rises with each, a lower one is outdated. */
export const DocumentState = Type.Object({
  id: Uuid,
  rev: Type.Integer(),
  name: Type.String(),
  description: nullableText(),
  kind: Type.Enum([...documentKinds]),
  payload_kind: Type.Enum(['json', 'file']),
  is_private: Type.Boolean(),
  requires_signature: Type.Boolean(),
  requires_acceptance: Type.Boolean(),
  status: Type.Enum([...documentStatuses]),
  metadata: DocumentMetadata,
  signatures: Type.Array(SignatureFacts),
  cancel_effective_date: nullableText(),
  /** Of the run that the document belongs to; null for a standalone one. */
  run_id: NullableUuid,
  output_key: nullableText(),
  created_at: Timestamp,
  updated_at: Timestamp,
})
export type DocumentState = Static<typeof DocumentState>

/** The content of a copy and the members that are about it; `content_rev` rises when it is replaced. */
export const DocumentContent = Type.Object({
  content_rev: Type.Integer(),
  /** A wrapper string; null when the content is the attachment of the tell: the answer of the file route. */
  value: nullableText(),
  content_sha256: Sha256,
  plain_sha256: NullableSha256,
  sealed_at: NullableTimestamp,
})
export type DocumentContent = Static<typeof DocumentContent>

/** To the customer's region, in the order of the connection. `content` is null when it has not changed. */
export const documentCopyTell = defineTell({
  kind: 'documents.copy',
  version: 1,
  body: Type.Object({ ...connected, state: DocumentState, content: Type.Union([Type.Null(), DocumentContent]) }),
})

/** To the customer's region: the company deleted the document, and the customer's copy goes, too. */
export const documentDeletedTell = defineTell({
  kind: 'documents.deleted',
  version: 1,
  body: Type.Object({ ...connected, document_id: Uuid }),
})

/** A broadcast as all customers see it; `value` is the JSON text of a small one, `file` describes a file. */
export const BroadcastFacts = Type.Object({
  state: DocumentState,
  value: nullableText(),
  file: Type.Union([
    Type.Null(),
    Type.Object({ original_name: Type.String(), mime_type: Type.String(), size: Type.Integer() }),
  ]),
  /** The digest of the stored answer; null when `value` is the content. */
  answer_sha256: NullableSha256,
})
export type BroadcastFacts = Static<typeof BroadcastFacts>

/** Once per region with customers of the service; ordered by the service's id. An ended one is removed there. */
export const broadcastTell = defineTell({
  kind: 'documents.broadcast',
  version: 1,
  body: Type.Object({ ...addressed, broadcast: BroadcastFacts }),
})

/** To the same regions: the broadcast is deleted. */
export const broadcastDeletedTell = defineTell({
  kind: 'documents.broadcast_deleted',
  version: 1,
  body: Type.Object({ ...addressed, document_id: Uuid }),
})

/** To a region with its first customer of the service: the broadcasts that follow are all there are. */
export const broadcastsResetTell = defineTell({
  kind: 'documents.broadcasts_reset',
  version: 1,
  body: Type.Object(addressed),
})

/** A read: a URL for a few minutes of the answer of the file route of a broadcast, or of its large JSON. */
export const readBroadcastAsk = defineAsk({
  command: 'documents.read_broadcast',
  idempotency: 'none',
  body: Type.Object({ ...addressed, document_id: Uuid }),
  reply: Type.Object({
    file: Type.Union([
      Type.Null(),
      Type.Object({ url: Type.String(), sha256: Sha256, bytes: Type.Integer({ minimum: 1 }) }),
    ]),
  }),
})

const signer = Type.Object({
  user_id: Uuid,
  first_name: nullableText(),
  last_name: nullableText(),
  name_verified: Type.Boolean(),
  ip: nullableText(),
  user_agent: nullableText(),
})

const signing = {
  content_sha256: Sha256,
  plain_sha256: NullableSha256,
  signer,
} as const

export const DocumentAct = Type.Union([
  Type.Object({ act: Type.Literal('sign'), method: Type.Enum([...signingMethods]), ...signing }),
  Type.Object({ act: Type.Literal('accept'), ...signing }),
  Type.Object({ act: Type.Literal('decline'), note: nullableText() }),
  Type.Object({ act: Type.Literal('cancel'), note: nullableText() }),
])
export type DocumentAct = Static<typeof DocumentAct>

const refusals = Type.Enum([
  'not_found',
  'status_invalid',
  'not_signable',
  'content_mismatch',
  'not_cancellable',
  'seal_failed',
  'run_managed',
])
export type ActRefusal = Static<typeof refusals>

/**
 * Prepares the seal of the act that follows: `url` is the PDF under the one-time key. Nothing is recorded; an unused seal is
 * deleted. `seal_id` is null for a refusal, and for an act that completes no document.
 */
export const prepareSealAsk = defineAsk({
  command: 'documents.prepare_seal',
  idempotency: 'none',
  body: Type.Object({
    ...connected,
    document_id: Uuid,
    act: DocumentAct,
    otk: Type.String(),
    url: Type.String(),
    sha256: Sha256,
    bytes: Type.Integer({ minimum: 1 }),
  }),
  reply: Type.Object({ seal_id: NullableUuid, refusal: Type.Union([Type.Null(), refusals]) }),
})

/** A customer's act; the service's side decides. `seal_id`: of `prepareSealAsk`, for a file contract. */
export const documentActAsk = defineAsk({
  command: 'documents.act',
  idempotency: 'stored',
  body: Type.Object({ ...connected, document_id: Uuid, act: DocumentAct, seal_id: NullableUuid }),
  reply: Type.Union([
    Type.Object({
      outcome: Type.Literal('done'),
      state: DocumentState,
      plain_sha256: NullableSha256,
      sealed_at: NullableTimestamp,
      content_sha256: Sha256,
      /** Of the run that the document belongs to. */
      run_signatures: Type.Optional(Type.Array(RunSignature)),
    }),
    Type.Object({ outcome: Type.Literal('refused'), refusal: refusals }),
  ]),
})
