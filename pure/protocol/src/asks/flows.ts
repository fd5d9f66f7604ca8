import Type, { type Static } from 'typebox'
import { defineAsk } from '../ask.ts'
import { defineTell } from '../tell.ts'
import { RunSignature } from '../wire/document.ts'
import { OwnerTagValues, RunTagValues } from '../wire/flow-run.ts'
import { TurnPass } from '../wire/plugin.ts'
import { nullableText, NullableTimestamp, Sha256, Timestamp, Uuid } from '../wire/scalars.ts'
import { Attested } from './connections.ts'

const connected = { company_id: Uuid, service_id: Uuid, connection_id: Uuid, customer_id: Uuid } as const
const ofRun = { ...connected, run_id: Uuid } as const

/** A copy of an output that the run has made. */
export const RunDocument = Type.Object({
  ...RunSignature.properties,
  requires_signature: Type.Boolean(),
  requires_acceptance: Type.Boolean(),
})
export type RunDocument = Static<typeof RunDocument>

/** As documents of the run show it. */
export function runSignature({ requires_signature: _sign, requires_acceptance: _accept, ...copy }: RunDocument) {
  return copy satisfies RunSignature
}

/** Members of a run that change; `rev` rises with each change, a lower one is outdated. */
export const RunState = Type.Object({
  rev: Type.Integer(),
  status: Type.String(),
  current_node: Type.String(),
  private_slugs: Type.Array(Type.String()),
  cancelled_at: NullableTimestamp,
  cancelled_by: nullableText(),
  cancel_reason: nullableText(),
  data_deleted_at: NullableTimestamp,
  updated_at: Timestamp,
  /** All copies of the run, in the order of the signing line. */
  documents: Type.Array(RunDocument),
})
export type RunState = Static<typeof RunState>

/** Members that never change. */
export const RunStart = Type.Object({
  flow_id: Uuid,
  flow_version: Type.Integer(),
  definition: Type.Unknown(),
  reference_date: Type.String(),
  bindings: Type.Record(Type.String(), Uuid),
  /** The public keys of all customers of the run, by user. */
  keys: Type.Record(Type.String(), Type.String()),
  owner_tag_values: Type.Union([Type.Null(), OwnerTagValues]),
  /** Sealed to this customer. */
  tag_values: Type.Union([Type.Null(), RunTagValues]),
  /** This customer's copies by source key. */
  source_files: Type.Record(Type.String(), Type.String()),
  /** The staged copies in this customer's region that the run uses from now on. */
  staged: Type.Array(Type.String()),
  created_at: Timestamp,
})
export type RunStart = Static<typeof RunStart>

/** This customer's copy of an answer. */
export const RunCopy = Type.Object({
  slug: Type.String(),
  value: Type.String(),
  attested: Type.Union([Type.Null(), Attested]),
  /** Only for the customer who gave the answer: the number of the link that it has announced. */
  link_rev: Type.Optional(Type.Integer()),
})
export type RunCopy = Static<typeof RunCopy>

/** To the region of each customer in the run, in the order of the connection. `start` is null except for a new run. */
export const runTell = defineTell({
  kind: 'flows.run',
  version: 1,
  body: Type.Object({
    ...ofRun,
    state: RunState,
    start: Type.Union([Type.Null(), RunStart]),
    answers: Type.Array(RunCopy),
  }),
})

/** To the customer's region, before the answer that names it: the customer's copy of a file, as the attachment. */
export const runFileTell = defineTell({
  kind: 'flows.file',
  version: 1,
  body: Type.Object({ ...ofRun, file: Type.String(), slug: Type.String() }),
})

const offered = { url: Type.String(), sha256: Sha256, bytes: Type.Integer({ minimum: 1 }) } as const
const Offered = Type.Union([Type.Null(), Type.Object(offered)])

/** To the region of the customer who shared the file: copies it there for a run that may follow. */
export const stageSourceAsk = defineAsk({
  command: 'flows.stage_source',
  idempotency: 'none',
  body: Type.Object({ ...connected, file: Type.String(), ...offered }),
  reply: Type.Object({ is_taken: Type.Boolean() }),
})

/** A read of the service's region: a URL for a few minutes of a copy that rests with the customer. */
export const readSourceAsk = defineAsk({
  command: 'flows.read_source',
  idempotency: 'none',
  body: Type.Object({ ...connected, file: Type.String() }),
  reply: Type.Object({ file: Offered }),
})

/** A read of a customer's region: the same for the customer's own copy, which rests with another customer. */
export const readRunFileAsk = defineAsk({
  command: 'flows.read_file',
  idempotency: 'none',
  body: Type.Object({ ...ofRun, file: Type.String() }),
  reply: Type.Object({ file: Offered }),
})

const refusals = Type.Enum([
  'flows.run_not_found',
  'flows.run_not_awaiting',
  'flows.run_closed',
  'flows.not_your_turn',
  'flows.answer_invalid',
  'flows.answer_party_missing',
  'flows.answer_party_invalid',
  'flows.answer_file_too_large',
  'flows.next_node_invalid',
  'contact_data.encryption_required',
  'account.counterparty_deleted',
])
export type TurnRefusal = Static<typeof refusals>

/**
 * A customer uploads a copy for another user: the service's region takes it. Without an offer it only says whether the
 * upload would be taken.
 */
export const takeAnswerFileAsk = defineAsk({
  command: 'flows.take_answer_file',
  idempotency: 'none',
  body: Type.Object({
    ...ofRun,
    slug: Type.String(),
    for_user_id: Type.String(),
    length: Type.Integer(),
    offer: Offered,
  }),
  reply: Type.Object({ file: nullableText(), refusal: Type.Union([Type.Null(), refusals]) }),
})

/** An answer as its caller sent it; the service's side validates it. */
export const SaidAnswer = Type.Object({
  slug: Type.Unknown(),
  values: Type.Unknown(),
  source_private: Type.Unknown(),
  attested: Type.Union([Type.Null(), Attested]),
  is_linked: Type.Boolean(),
  /** Of a linked answer: numbers the link among the changes of the connection. */
  link_rev: Type.Optional(Type.Integer()),
  /** Of a linked answer: whether the field behind it is private. */
  is_source_private: Type.Optional(Type.Boolean()),
})
export type SaidAnswer = Static<typeof SaidAnswer>

const turnReply = Type.Union([
  Type.Object({ outcome: Type.Literal('done'), state: RunState, answers: Type.Array(RunCopy) }),
  Type.Object({ outcome: Type.Literal('refused'), refusal: refusals }),
])

/** A customer's turn; the service's side decides. */
export const answerRunAsk = defineAsk({
  command: 'flows.answer',
  idempotency: 'stored',
  body: Type.Object({
    ...ofRun,
    answers: Type.Array(SaidAnswer),
    next_node: Type.Unknown(),
    leaf: Type.Unknown(),
  }),
  reply: turnReply,
})

export const cancelRunAsk = defineAsk({
  command: 'flows.cancel',
  idempotency: 'stored',
  body: Type.Object({ ...ofRun, reason: nullableText() }),
  reply: turnReply,
})

const passRefusals = Type.Union([refusals, Type.Literal('flows.definition_invalid')])
export type PassRefusal = Static<typeof passRefusals>

const passReply = Type.Union([
  Type.Object({ outcome: Type.Literal('done'), pass: TurnPass }),
  Type.Object({ outcome: Type.Literal('refused'), refusal: passRefusals }),
])
export type PassReply = Static<typeof passReply>

/** A pass to the plugins of the step that awaits the customer. It is a credential, so it is not stored. */
export const passForRunAsk = defineAsk({
  command: 'flows.plugin_pass',
  idempotency: 'none',
  body: Type.Object(ofRun),
  reply: passReply,
})

const generateRefusals = Type.Enum([
  'flows.run_not_found',
  'flows.not_your_turn',
  'flows.not_generatable',
  'flows.generation_failed',
  'flows.generate_inputs_mismatch',
  'flows.source_pdf_invalid',
  'account.counterparty_deleted',
  'platform.busy',
  'region.unreachable',
])
export type GenerateRefusal = Static<typeof generateRefusals>

/** A read of the region of the language party: the language of the profile. Null for an unknown account. */
export const readLanguageAsk = defineAsk({
  command: 'flows.read_language',
  idempotency: 'none',
  body: Type.Object(connected),
  reply: Type.Object({ language: nullableText() }),
})

/**
 * A customer makes the documents of a run. Values and inputs rest in the customer's region, sealed under the key, which is
 * never stored. Repeating it is harmless: a run makes its documents once.
 */
export const generateRunAsk = defineAsk({
  command: 'flows.generate',
  idempotency: 'none',
  body: Type.Object({
    ...ofRun,
    otk: Type.String(),
    values: Offered,
    /** Null when the caller's list is malformed or names an input that was not uploaded. */
    inputs: Type.Union([
      Type.Null(),
      Type.Array(Type.Object({ source_key: Type.String(), file: Type.Object(offered) })),
    ]),
    /** The file answers of which the customer has an own copy. */
    file_slugs: Type.Array(Type.String()),
  }),
  reply: Type.Union([
    Type.Object({ outcome: Type.Literal('done'), state: RunState }),
    Type.Object({ outcome: Type.Literal('refused'), refusal: generateRefusals, sentence: nullableText() }),
  ]),
})

/** Whether a customer may upload an input now; null when it may. */
export const allowInputAsk = defineAsk({
  command: 'flows.allow_input',
  idempotency: 'none',
  body: Type.Object(ofRun),
  reply: Type.Object({ refusal: Type.Union([Type.Null(), generateRefusals]) }),
})
