import Type from 'typebox'
import { FILE_BODY } from '../file-body.ts'
import { type CallerKind, defineOperation } from '../operation.ts'
import {
  answerBody,
  answerFileBody,
  FlowRun,
  FlowRunSummary,
  runFileBody,
  StoredRunFile,
  StoredStagedFile,
  triggerBody,
} from '../wire/flow-run.ts'
import { pageOf, pageQuery } from '../wire/paging.ts'
import { FileText, Wrapper } from '../wire/wrapper.ts'

const serviceClient = ['service_client'] as const satisfies readonly CallerKind[]
const managers = ['portal', 'delegate', 'account_client'] as const satisfies readonly CallerKind[]

const flowId = Type.String({ maxLength: 64, description: 'The id of the flow.' })
const runId = Type.String({ maxLength: 64, description: 'The id of the run.' })
const id = Type.String({ maxLength: 255, description: 'The id of the service.' })
const sourceKey = Type.String({ maxLength: 255, description: 'The key of the source, encoded: it has colons.' })
const slug = Type.String({ maxLength: 64, description: 'The slug of the field.' })

const ofService = ['services.not_found', 'services.second_factor_required'] as const

const TRIGGER =
  'Pins the latest published version. `targets` names a connection for each party of type person or company; `target` one ' +
  'for all parties that are still unbound; `bindings` binds untyped parties. The owner is bound by itself. ' +
  '`tag_values` and `source_files` are needed where the texts and rules of the version name values and files of customers.'
const triggerErrors = [
  'flows.not_found',
  'flows.not_published',
  'flows.version_changed',
  'flows.bindings_invalid',
  'flows.no_counterparty',
  'flows.connection_not_found',
  'flows.tag_values_invalid',
  'flows.tag_values_stale',
  'flows.source_files_invalid',
  'account.counterparty_deleted',
] as const
const stageErrors = [
  'flows.not_found',
  'flows.not_published',
  'flows.source_user_invalid',
  'contact_data.encryption_required',
  'documents.too_large',
] as const
export const answerErrors = [
  'flows.run_not_found',
  'flows.run_not_awaiting',
  'flows.not_your_turn',
  'flows.answer_invalid',
  'flows.answer_party_missing',
  'flows.answer_party_invalid',
  'flows.next_node_invalid',
  'contact_data.encryption_required',
  'account.counterparty_deleted',
] as const
export const answerFileErrors = [
  'flows.run_not_found',
  'flows.run_not_awaiting',
  'flows.not_your_turn',
  'flows.answer_invalid',
  'flows.answer_party_invalid',
  'flows.answer_file_too_large',
  'contact_data.encryption_required',
  'account.counterparty_deleted',
] as const
export const cancelErrors = ['flows.run_not_found', 'flows.run_closed', 'account.counterparty_deleted'] as const
export const ANSWER =
  'The caller has evaluated the outgoing edges of the current step: `next_node` is the first that holds, `leaf: true` says ' +
  'that none does. Each answer has one copy per bound user, sealed to that user. The answer is the whole run.'
export const cancelBody = Type.Object({ reason: Type.Optional(Type.String({ maxLength: 1000 })) })

export const runFilters = Type.Object({
  ...pageQuery,
  status: Type.Optional(
    Type.String({ maxLength: 500, description: 'Only runs with one of these statuses, separated by commas.' }),
  ),
  awaiting: Type.Optional(Type.Enum(['owner'], { description: 'Only runs that wait for the owner.' })),
})
const FILE = { status: 200, about: 'The sealed file', mediaType: 'application/json', jsonForm: Wrapper } as const

export const stageRunFile = defineOperation({
  id: 'flow_runs.stage_file',
  method: 'POST',
  path: '/api/company-data/flows/{flowId}/run-files',
  document: 'company-data',
  summary: 'Stage a copy of a file that a customer has shared, for a run',
  description:
    'One copy per bound user, sealed to that user. It rests in the region of the customer who shared the file, and is ' +
    'removed after 24 hours without a run.',
  callers: serviceClient,
  rate: 'data',
  level: 'pro',
  creates: true,
  maxBodyBytes: FILE_BODY,
  params: Type.Object({ flowId }),
  body: runFileBody,
  success: { status: 201, about: 'The handle of the copy', body: StoredStagedFile },
  errors: [...stageErrors],
})

export const startRun = defineOperation({
  id: 'flow_runs.start',
  method: 'POST',
  path: '/api/company-data/flows/{flowId}/runs',
  document: 'company-data',
  summary: 'Start a run of a flow',
  description: TRIGGER,
  callers: serviceClient,
  rate: 'data',
  level: 'pro',
  creates: true,
  params: Type.Object({ flowId }),
  body: triggerBody,
  success: { status: 201, about: 'The run', body: FlowRun },
  errors: [...triggerErrors],
})

export const listRuns = defineOperation({
  id: 'flow_runs.list',
  method: 'GET',
  path: '/api/company-data/flow-runs',
  document: 'company-data',
  summary: 'The runs of the service',
  callers: serviceClient,
  rate: 'data',
  query: runFilters,
  success: { status: 200, about: 'The runs, oldest first', body: pageOf(FlowRunSummary) },
  errors: [],
})

export const readRun = defineOperation({
  id: 'flow_runs.read',
  method: 'GET',
  path: '/api/company-data/flow-runs/{runId}',
  document: 'company-data',
  summary: 'One run',
  callers: serviceClient,
  rate: 'data',
  params: Type.Object({ runId }),
  success: { status: 200, about: 'The run', body: FlowRun },
  errors: ['flows.run_not_found'],
})

export const answerRun = defineOperation({
  id: 'flow_runs.answer',
  method: 'POST',
  path: '/api/company-data/flow-runs/{runId}/answers',
  document: 'company-data',
  summary: "Take the owner's turn",
  description: ANSWER,
  callers: serviceClient,
  rate: 'data',
  creates: true,
  params: Type.Object({ runId }),
  body: Type.Object(answerBody),
  success: { status: 200, about: 'The run', body: FlowRun },
  errors: [...answerErrors],
})

export const storeAnswerFile = defineOperation({
  id: 'flow_runs.store_file',
  method: 'POST',
  path: '/api/company-data/flow-runs/{runId}/answer-files',
  document: 'company-data',
  summary: 'Upload one copy of a file answer',
  description: 'Once per bound user; then answer with `{"_enc_file": <file>}` as the value of that user.',
  callers: serviceClient,
  rate: 'data',
  creates: true,
  maxBodyBytes: FILE_BODY,
  params: Type.Object({ runId }),
  body: answerFileBody,
  success: { status: 201, about: 'The handle of the copy', body: StoredRunFile },
  errors: [...answerFileErrors],
})

export const cancelRun = defineOperation({
  id: 'flow_runs.cancel',
  method: 'POST',
  path: '/api/company-data/flow-runs/{runId}/cancel',
  document: 'company-data',
  summary: 'Cancel a run',
  callers: serviceClient,
  rate: 'data',
  creates: true,
  allowsEmptyBody: true,
  params: Type.Object({ runId }),
  body: cancelBody,
  success: { status: 200, about: 'The run', body: FlowRun },
  errors: [...cancelErrors],
})

export const readRunSlotFile = defineOperation({
  id: 'flow_runs.read_slot_file',
  method: 'GET',
  path: '/api/company-data/flow-runs/{runId}/slots/{slug}/file',
  document: 'company-data',
  summary: 'The own copy of a file answer',
  callers: serviceClient,
  rate: 'data',
  jsonOnly: true,
  params: Type.Object({ runId, slug }),
  success: { status: 200, about: 'The sealed file', mediaType: 'application/json', jsonForm: FileText },
  errors: ['flows.run_not_found', 'company_data.file_not_found'],
})

export const readRunSource = defineOperation({
  id: 'flow_runs.read_source',
  method: 'GET',
  path: '/api/company-data/flow-runs/{runId}/source-files/{sourceKey}',
  document: 'company-data',
  summary: 'The own copy of a file that a customer had shared at the start',
  callers: serviceClient,
  rate: 'data',
  jsonOnly: true,
  params: Type.Object({ runId, sourceKey }),
  success: FILE,
  errors: ['flows.run_not_found', 'company_data.file_not_found'],
})

export const stageServiceRunFile = defineOperation({
  ...stageRunFile,
  id: 'service_runs.stage_file',
  path: '/api/services/{id}/flows/{flowId}/run-files',
  document: 'account',
  callers: managers,
  params: Type.Object({ id, flowId }),
  errors: [...ofService, ...stageErrors],
})

export const startServiceRun = defineOperation({
  ...startRun,
  id: 'service_runs.start',
  path: '/api/services/{id}/flows/{flowId}/runs',
  document: 'account',
  callers: managers,
  params: Type.Object({ id, flowId }),
  errors: [...ofService, ...triggerErrors],
})

export const listServiceRuns = defineOperation({
  ...listRuns,
  id: 'service_runs.list',
  path: '/api/services/{id}/flows/{flowId}/runs',
  document: 'account',
  summary: 'The runs of a flow',
  callers: managers,
  params: Type.Object({ id, flowId }),
  errors: [...ofService, 'flows.not_found'],
})

export const readServiceRun = defineOperation({
  ...readRun,
  id: 'service_runs.read',
  path: '/api/services/{id}/flows/{flowId}/runs/{runId}',
  document: 'account',
  callers: managers,
  params: Type.Object({ id, flowId, runId }),
  errors: [...ofService, 'flows.run_not_found'],
})

export const answerServiceRun = defineOperation({
  ...answerRun,
  id: 'service_runs.answer',
  path: '/api/services/{id}/flows/{flowId}/runs/{runId}/answers',
  document: 'account',
  callers: managers,
  params: Type.Object({ id, flowId, runId }),
  errors: [...ofService, ...answerErrors],
})

export const storeServiceAnswerFile = defineOperation({
  ...storeAnswerFile,
  id: 'service_runs.store_file',
  path: '/api/services/{id}/flows/{flowId}/runs/{runId}/answer-files',
  document: 'account',
  callers: managers,
  params: Type.Object({ id, flowId, runId }),
  errors: [...ofService, ...answerFileErrors],
})

export const cancelServiceRun = defineOperation({
  ...cancelRun,
  id: 'service_runs.cancel',
  path: '/api/services/{id}/flows/{flowId}/runs/{runId}/cancel',
  document: 'account',
  callers: managers,
  params: Type.Object({ id, flowId, runId }),
  errors: [...ofService, ...cancelErrors],
})

export const readServiceRunSource = defineOperation({
  ...readRunSource,
  id: 'service_runs.read_source',
  path: '/api/services/{id}/flows/{flowId}/runs/{runId}/source-files/{sourceKey}',
  document: 'account',
  callers: managers,
  params: Type.Object({ id, flowId, runId, sourceKey }),
  errors: [...ofService, 'flows.run_not_found', 'company_data.file_not_found'],
})
