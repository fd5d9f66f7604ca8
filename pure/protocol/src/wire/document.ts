import Type, { type Static, type TUnknown } from 'typebox'
import {
  EXAMPLE_TEXTS,
  nullableChoice,
  nullableInteger,
  NullableSha256,
  nullableText,
  NullableTimestamp,
  NullableUuid,
  Sha256,
  Timestamp,
  Uuid,
} from './scalars.ts'

export const documentKinds = ['document', 'agreement', 'subscription'] as const
export type DocumentKind = (typeof documentKinds)[number]

export const documentStatuses = [
  'waiting',
  'offering',
  'ready_to_sign',
  'active',
  'active_but_ending',
  'ended',
] as const
export type DocumentStatus = (typeof documentStatuses)[number]

export const signingMethods = ['biometric', 'twofa', 'email', 'custodian'] as const
export type SigningMethod = (typeof signingMethods)[number]

export const DocumentMetadata = Type.Object(
  {
    can_be_cancelled_in_app: Type.Boolean({
      description: 'Whether the customer may cancel in the app; true for a subscription unless stated.',
    }),
    cancel_notice_days: Type.Optional(
      Type.Integer({ minimum: 0, maximum: 3650, description: 'Days from a cancellation to its effect; 0 if absent.' }),
    ),
    plan_name: Type.Optional(Type.String()),
    price: Type.Optional(Type.String()),
    currency: Type.Optional(Type.String()),
    renewal_term: Type.Optional(Type.String()),
    renewal_date: Type.Optional(Type.String()),
    valid_until: Type.Optional(Type.String()),
    management_url: Type.Optional(Type.String()),
  },
  { title: 'DocumentMetadata', additionalProperties: true },
)
export type DocumentMetadata = Static<typeof DocumentMetadata>

const ANY_JSON = { type: ['object', 'array', 'string', 'number', 'boolean', 'null'], items: {} } as const

/** Any JSON value: for the documents a list of types with the items of a list, both of which generators need. */
export function anyJson(documented: Readonly<Record<string, unknown>> = {}): TUnknown {
  return Type.Unknown({ documented: Type.Unsafe({ ...ANY_JSON, ...documented }) })
}

const signatureMembers = {
  action: Type.Enum(['signed', 'accepted']),
  method: nullableChoice(signingMethods),
  content_sha256: Sha256,
  plain_sha256: NullableSha256,
  signer_first_name: nullableText(),
  signer_last_name: nullableText(),
  signer_name_verified: Type.Boolean(),
  created_at: Timestamp,
} as const

/** What every reader sees of an act that was recorded. */
export const SignatureFacts = Type.Object(signatureMembers)
export type SignatureFacts = Static<typeof SignatureFacts>

const DocumentSignature = Type.Object(
  { ...signatureMembers, ip: nullableText(), user_agent: nullableText() },
  { title: 'DocumentSignature' },
)

const documentMembers = {
  id: Uuid,
  name: Type.String(),
  description: nullableText(),
  payload_kind: Type.Enum(['json', 'file']),
  kind: Type.Enum([...documentKinds]),
  is_private: Type.Boolean({ description: 'For the display on the device; the content is sealed either way.' }),
  requires_signature: Type.Boolean(),
  requires_acceptance: Type.Boolean(),
  status: Type.Enum([...documentStatuses]),
  metadata: DocumentMetadata,
  plain_sha256: nullableText({
    pattern: '^[0-9a-f]{64}$',
    examples: [EXAMPLE_TEXTS.sha256],
    description: 'The SHA-256 of the PDF; after the seal that of the sealed one. Null for a JSON document.',
  }),
  sealed_at: NullableTimestamp,
  cancel_effective_date: nullableText({ format: 'date', description: 'When it ends, or has ended.' }),
  created_at: Timestamp,
  updated_at: Timestamp,
} as const

/** One copy of a run's output, and the act of its party. */
export const RunSignature = Type.Object(
  {
    output_key: Type.String(),
    name: Type.String(),
    party_key: Type.String(),
    document_id: Uuid,
    position: nullableInteger({
      description: 'The place in the signing line; null for a party that only receives it.',
    }),
    status: Type.Enum([...documentStatuses]),
    action: nullableChoice(['signed', 'accepted']),
    acted_at: NullableTimestamp,
  },
  { title: 'RunSignature' },
)
export type RunSignature = Static<typeof RunSignature>

const runSignatures = Type.Optional(
  Type.Array(RunSignature, { description: 'Of a document of a run: all copies of the run, in the order of the line.' }),
)

/** A document as its company reads it. */
export const Document = Type.Object(
  {
    ...documentMembers,
    signatures: Type.Array(DocumentSignature),
    connection_id: NullableUuid,
    person_user_id: NullableUuid,
    signable: Type.Optional(
      Type.Boolean({
        description: 'False, and only of a file contract without `plain_sha256`: it cannot be signed or accepted.',
      }),
    ),
    value: anyJson({
      examples: [{ _enc_file: true }],
      description:
        'JSON for one customer: the Wrapper object; a broadcast: the JSON value, or `{file, original_name, mime_type, size}` ' +
        'with the path of the file. File for one customer: `{"_enc_file": …}`; `{"_pending": true}` until it is uploaded.',
    }),
    content_sha256: nullableText({
      pattern: '^[0-9a-f]{64}$',
      examples: [EXAMPLE_TEXTS.sha256],
      description: 'The SHA-256 of the sealed text; null for a broadcast and before the upload.',
    }),
    run_signatures: runSignatures,
  },
  { title: 'Document' },
)
export type Document = Static<typeof Document>

/** A document as its customer reads it. */
export const CustomerDocument = Type.Object(
  {
    ...documentMembers,
    signatures: Type.Array(Type.Object(signatureMembers, { title: 'CustomerDocumentSignature' })),
    connection_id: Uuid,
    service_id: Uuid,
    value: anyJson({
      examples: [EXAMPLE_TEXTS.wrapper],
      description:
        'JSON for you: the wrapper string; a broadcast: the JSON value. File: `{"_enc_file": …}` or, for a broadcast, ' +
        '`{file, original_name, mime_type, size}` with the path of the file.',
    }),
    content_sha256: nullableText({
      pattern: '^[0-9a-f]{64}$',
      examples: [EXAMPLE_TEXTS.sha256],
      description: 'The SHA-256 of the wrapper string, which a signature names; null for a broadcast.',
    }),
    run_signatures: runSignatures,
  },
  { title: 'CustomerDocument' },
)
export type CustomerDocument = Static<typeof CustomerDocument>

/** A document in the record of a connection. */
export const RecordDocument = Type.Object(
  {
    ...CustomerDocument.properties,
    value: anyJson({
      examples: [{ _enc: 1, k: 'bXkga2V5…', iv: 'AAECAwQFBgcICQoL', d: 'c2VhbGVk…' }],
      description:
        'JSON for you: the Wrapper object; a broadcast: the JSON value. A file, and JSON of more than 128 KB: ' +
        '`{"_enc_file": …}`; the file of the document has it.',
    }),
  },
  { title: 'RecordDocument' },
)
export type RecordDocument = Static<typeof RecordDocument>

/** Exactly one member. */
export const DocumentTarget = Type.Object(
  {
    connection_id: Type.Optional(Type.String({ format: 'uuid' })),
    person_user_id: Type.Optional(Type.String({ format: 'uuid' })),
    share_code: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
  },
  {
    title: 'DocumentTarget',
    description: 'Exactly one member names the customer.',
    examples: [{ connection_id: EXAMPLE_TEXTS.uuid }],
  },
)
export type DocumentTarget = Static<typeof DocumentTarget>
