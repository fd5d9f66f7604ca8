import Type from 'typebox'
import { FILE_BODY } from '../file-body.ts'
import { type CallerKind, defineOperation } from '../operation.ts'
import { Generated, generateBody, inputBody, StoredInput } from '../wire/flow-run.ts'
import { FileText } from '../wire/wrapper.ts'

const serviceClient = ['service_client'] as const satisfies readonly CallerKind[]
const managers = ['portal', 'delegate', 'account_client'] as const satisfies readonly CallerKind[]
const customers = ['person', 'portal', 'delegate', 'account_client'] as const satisfies readonly CallerKind[]

const runId = Type.String({ maxLength: 64, description: 'The id of the run.' })
const outputKey = Type.String({ maxLength: 64, description: 'The key of the output.' })
const ofService = Type.Object({
  id: Type.String({ maxLength: 255, description: 'The id of the service.' }),
  flowId: Type.String({ maxLength: 64, description: 'The id of the flow.' }),
  runId,
})
const id = Type.String({ format: 'uuid', description: 'The id of the connection.' })
const ofConnection = Type.Object({ id, runId: Type.String({ format: 'uuid', description: 'The id of the run.' }) })

const GENERATE =
  'By the party that answered the last step. The answers are handed over under a one-time key: they are opened in memory, and ' +
  'neither they nor the key are stored. For each output the first rule that matches is filled; every participant gets an own ' +
  'copy. Nothing is stored when anything fails. A repeated call answers the same documents.'
const INPUT =
  'Only while the run is generating. It is removed when a generate that names it is answered, also by a refusal (but 503), ' +
  'or after 24 hours.'

const generateErrors = [
  'flows.run_not_found',
  'flows.not_your_turn',
  'flows.not_generatable',
  'flows.generation_failed',
  'flows.generate_inputs_mismatch',
  'flows.source_pdf_invalid',
  'account.counterparty_deleted',
] as const
const inputErrors = [
  'flows.run_not_found',
  'flows.not_your_turn',
  'flows.not_generatable',
  'documents.too_large',
  'account.counterparty_deleted',
] as const
const service = ['services.not_found', 'services.second_factor_required'] as const
const lost = ['company_data.connection_not_found'] as const
const FILE = { status: 200, about: 'The sealed file', mediaType: 'application/json', jsonForm: FileText } as const

export const generateRun = defineOperation({
  id: 'flow_runs.generate',
  method: 'POST',
  path: '/api/company-data/flow-runs/{runId}/generate',
  document: 'company-data',
  summary: 'Make the documents of a run',
  description: GENERATE,
  callers: serviceClient,
  rate: 'data',
  creates: true,
  params: Type.Object({ runId }),
  body: generateBody,
  success: { status: 200, about: 'The documents', body: Generated },
  errors: [...generateErrors],
})

export const storeRunInput = defineOperation({
  id: 'flow_runs.store_input',
  method: 'POST',
  path: '/api/company-data/flow-runs/{runId}/generate/inputs',
  document: 'company-data',
  summary: "Upload a participant's PDF for generate",
  description: INPUT,
  callers: serviceClient,
  rate: 'data',
  creates: true,
  maxBodyBytes: FILE_BODY,
  params: Type.Object({ runId }),
  body: inputBody,
  success: { status: 201, about: 'The handle of the input', body: StoredInput },
  errors: [...inputErrors],
})

export const readRunDocument = defineOperation({
  id: 'flow_runs.read_document',
  method: 'GET',
  path: '/api/company-data/flow-runs/{runId}/documents/{outputKey}/file',
  document: 'company-data',
  summary: 'The own copy of an output',
  callers: serviceClient,
  rate: 'data',
  jsonOnly: true,
  params: Type.Object({ runId, outputKey }),
  success: FILE,
  errors: ['flows.run_not_found', 'flows.no_document'],
})

export const readOnlyRunDocument = defineOperation({
  ...readRunDocument,
  id: 'flow_runs.read_only_document',
  path: '/api/company-data/flow-runs/{runId}/document/file',
  summary: 'The own copy of the only output',
  description: 'An older form: a run with several outputs has no such document.',
  params: Type.Object({ runId }),
})

export const generateServiceRun = defineOperation({
  ...generateRun,
  id: 'service_runs.generate',
  path: '/api/services/{id}/flows/{flowId}/runs/{runId}/generate',
  document: 'account',
  callers: managers,
  params: ofService,
  errors: [...service, ...generateErrors],
})

export const storeServiceRunInput = defineOperation({
  ...storeRunInput,
  id: 'service_runs.store_input',
  path: '/api/services/{id}/flows/{flowId}/runs/{runId}/generate/inputs',
  document: 'account',
  callers: managers,
  params: ofService,
  errors: [...service, ...inputErrors],
})

export const generateCustomerRun = defineOperation({
  ...generateRun,
  id: 'customer_runs.generate',
  path: '/api/company-connections/{id}/flow-runs/{runId}/generate',
  document: 'customer',
  callers: customers,
  params: ofConnection,
  errors: [...lost, ...generateErrors],
})

export const storeCustomerRunInput = defineOperation({
  ...storeRunInput,
  id: 'customer_runs.store_input',
  path: '/api/company-connections/{id}/flow-runs/{runId}/generate/inputs',
  document: 'customer',
  callers: customers,
  params: ofConnection,
  errors: [...lost, ...inputErrors],
})

export const readCustomerRunDocument = defineOperation({
  ...readRunDocument,
  id: 'customer_runs.read_document',
  path: '/api/company-connections/{id}/flow-runs/{runId}/documents/{outputKey}/file',
  document: 'customer',
  callers: customers,
  params: Type.Object({ ...ofConnection.properties, outputKey }),
  errors: [...lost, 'flows.run_not_found', 'flows.no_document'],
})
