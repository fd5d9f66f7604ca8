import Type, { type Static } from 'typebox'
import { attestationMembers } from './attestation.ts'
import { checkedByRule, requiredByRule } from './checked-by-rule.ts'
import { anyJson } from './document.ts'
import { FlowDefinition } from './flow.ts'
import {
  CalendarDate,
  EXAMPLE_TEXTS,
  nullableInteger,
  nullableText,
  NullableTimestamp,
  NullableUuid,
  Timestamp,
  Uuid,
} from './scalars.ts'
import { WrapperString } from './wrapper.ts'

const FILE = 'af_0196a8c4-5e6f-7a10-8b2c-3d4e5f607182'
const STAGED = 'rf_0196a8c4-5e6f-7a10-8b2c-3d4e5f607182'

/** Names a stored file of a run. */
export const RunFile = Type.String({ title: 'RunFile', description: 'The handle of a file.', examples: [FILE] })

/** Names a copy of a file that a customer has shared. */
const StagedFile = Type.String({
  title: 'StagedFile',
  description: 'The handle of a staged copy of a shared file.',
  examples: [STAGED],
})

export const RunAnswer = Type.Object(
  {
    slug: Type.String(),
    for_user_id: Uuid,
    value: Type.String({
      description:
        'A wrapper string; for a file the JSON text of `{"_enc_file": <file>}`, with `"_link": 1` for a linked one.',
      examples: [EXAMPLE_TEXTS.wrapper],
    }),
    ...attestationMembers,
  },
  { title: 'RunAnswer' },
)

const ParticipantDocument = Type.Object(
  {
    output_key: Type.String(),
    name: Type.String(),
    document_id: Uuid,
    document_status: Type.String(),
    requires_signature: Type.Boolean(),
    requires_acceptance: Type.Boolean(),
    position: nullableInteger(),
    action: nullableText(),
    acted_at: NullableTimestamp,
  },
  { title: 'ParticipantDocument' },
)

const RunParticipant = Type.Object(
  {
    party_key: Type.String(),
    person_user_id: Uuid,
    connection_id: NullableUuid,
    documents: Type.Array(ParticipantDocument),
  },
  { title: 'RunParticipant' },
)

/** Values of customers in the text of a flow, for one recipient. */
export const RunTagValues = Type.Object(
  {
    public: WrapperString,
    public_tags: Type.Array(Type.String()),
    private: Type.Record(Type.String(), WrapperString),
  },
  { title: 'RunTagValues' },
)
export type RunTagValues = Static<typeof RunTagValues>

/** The company's own profile values in the text of a flow: `{"party.field": {v, t}}`. */
export const OwnerTagValues = Type.Record(Type.String(), Type.Object({ v: anyJson(), t: nullableText() }))
export type OwnerTagValues = Static<typeof OwnerTagValues>

const summary = {
  id: Uuid,
  flow_id: Uuid,
  flow_version: Type.Integer(),
  status: Type.String({
    description: '`awaiting_<party>`, `generating`, `awaiting_signature`, `completed` or `cancelled`.',
    examples: ['awaiting_customer'],
  }),
  current_node: Type.String(),
  connection_id: Uuid,
  created_at: Timestamp,
  updated_at: Timestamp,
} as const

export const FlowRunSummary = Type.Object(summary, { title: 'FlowRunSummary' })
export type FlowRunSummary = Static<typeof FlowRunSummary>

export const FlowRun = Type.Object(
  {
    ...summary,
    service_id: Uuid,
    company_user_id: Uuid,
    bindings: Type.Record(Type.String(), Uuid, { description: 'The user of each party.' }),
    participants: Type.Array(RunParticipant),
    output_mode: Type.Enum(['data_only', 'document']),
    parties: Type.Array(Type.Object({ key: Type.String(), label: Type.String() })),
    answers: Type.Array(RunAnswer, { description: 'Your own copies of all answers.' }),
    definition: checkedByRule(FlowDefinition),
    reference_date: CalendarDate,
    private_slugs: Type.Array(Type.String()),
    owner_tag_values: Type.Union([Type.Null(), OwnerTagValues]),
    tag_values: Type.Union([Type.Null(), RunTagValues]),
    source_files: Type.Record(Type.String(), StagedFile, { description: 'Your own copy by source key.' }),
    cancelled_at: NullableTimestamp,
    cancelled_by: nullableText({ description: 'The key of a party, or `system`.' }),
    cancel_reason: nullableText(),
    data_deleted_at: NullableTimestamp,
    document_id: Type.Optional(
      Type.String({ format: 'uuid', description: 'Your own copy, where the run has made exactly one document.' }),
    ),
  },
  { title: 'FlowRun' },
)
export type FlowRun = Static<typeof FlowRun>

const copies = Type.Array(Type.Object({ for_user_id: Uuid, value: WrapperString }), {
  description: 'One copy per bound user.',
})

/** Faults of these members have error keys of their own. */
export const answerBody = {
  answers: Type.Array(
    Type.Object({
      slug: requiredByRule(Type.String()),
      values: requiredByRule(copies),
      source_private: Type.Optional(checkedByRule(Type.Boolean())),
      link: Type.Optional(
        Type.Object({ source_field_id: Uuid }, { description: 'The own profile field that a customer answers from.' }),
      ),
    }),
    { maxItems: 500 },
  ),
  next_node: Type.Optional(checkedByRule(nullableText({ description: 'A successor of the current step.' }))),
  leaf: Type.Optional(checkedByRule(Type.Boolean({ description: 'True where the run ends at this step.' }))),
} as const

export const answerFileBody = Type.Object({
  slug: Type.String({ maxLength: 64 }),
  for_user_id: Type.String({ maxLength: 64 }),
  value: checkedByRule(WrapperString),
})

export const StoredRunFile = Type.Object({ file: RunFile })

export const StoredStagedFile = Type.Object({ file: StagedFile })

const Target = Type.Object({ connection_id: Type.String({ maxLength: 64 }) })
const TagEntry = Type.Object({
  recipient_pubkey_sha256: Type.String(),
  public: WrapperString,
  public_tags: Type.Array(Type.String()),
  private: Type.Record(Type.String(), WrapperString),
})
const SourceFile = Type.Object({ source_key: Type.String(), for_user_id: Uuid, file: StagedFile })

export const triggerBody = Type.Object({
  target: Type.Optional(Target),
  targets: Type.Optional(Type.Record(Type.String(), Target, { description: 'The connection of each typed party.' })),
  bindings: Type.Optional(
    Type.Record(Type.String(), Type.String(), { description: 'The user of each untyped party.' }),
  ),
  flow_version: Type.Optional(Type.Integer({ description: 'The version that the run was prepared from.' })),
  tag_values: Type.Optional(
    checkedByRule(Type.Record(Type.String(), TagEntry, { description: 'By `company` or the id of a bound user.' })),
  ),
  source_files: Type.Optional(checkedByRule(Type.Array(SourceFile))),
})

export const runFileBody = Type.Object({
  source_user_id: requiredByRule(Uuid),
  value: checkedByRule(WrapperString),
})

const INPUT = 'gi_0196a8c4-5e6f-7a10-8b2c-3d4e5f607182'
const UNDER_KEY = 'base64 of IV, AES-256-GCM ciphertext and tag under `otk`'

/** Names a participant's PDF that was uploaded for one call of generate. */
export const RunInput = Type.String({ title: 'RunInput', description: 'The handle of an input.', examples: [INPUT] })

/** Faults of these members have error keys of their own. */
export const generateBody = Type.Object({
  otk: requiredByRule(Type.String({ description: 'base64 of a new 32-byte key.' })),
  values: requiredByRule(Type.String({ description: `${UNDER_KEY}: the JSON map of slugs to plaintext.` })),
  inputs: Type.Optional(
    checkedByRule(
      Type.Array(Type.Object({ source_key: Type.String(), input: RunInput }), {
        description: 'One input for each participant PDF that the run holds for you at this leaf.',
      }),
    ),
  ),
})

export const inputBody = Type.Object({
  source_key: Type.String({ maxLength: 255, examples: ['field:deed'] }),
  value: Type.String({ description: `${UNDER_KEY} of generate: the envelope of the PDF.` }),
})

export const StoredInput = Type.Object({ input: RunInput })

export const Generated = Type.Object(
  {
    documents: Type.Array(
      Type.Object(
        { output_key: Type.String(), party_key: Type.String(), document_id: Uuid, position: nullableInteger() },
        { title: 'GeneratedDocument' },
      ),
      { description: 'One copy per output and participant, in the order of the signing line.' },
    ),
    status: Type.String({ examples: ['awaiting_signature'] }),
    document_id: nullableText({ format: 'uuid', description: 'Your own first copy.' }),
  },
  { title: 'Generated' },
)
export type Generated = Static<typeof Generated>
