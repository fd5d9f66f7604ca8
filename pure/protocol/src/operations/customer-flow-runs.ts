import Type from 'typebox'
import { FILE_BODY } from '../file-body.ts'
import { type CallerKind, defineOperation } from '../operation.ts'
import { answerBody, answerFileBody, FlowRun, FlowRunSummary, RunFile, StoredRunFile } from '../wire/flow-run.ts'
import { Wrapper } from '../wire/wrapper.ts'
import { ANSWER, answerErrors, answerFileErrors, cancelBody, cancelErrors } from './flow-runs.ts'

const customers = ['person', 'portal', 'delegate', 'account_client'] as const satisfies readonly CallerKind[]
const id = Type.String({ format: 'uuid', description: 'The id of the connection.' })
const runId = Type.String({ format: 'uuid', description: 'The id of the run.' })
const ofRun = Type.Object({ id, runId })
const lost = ['company_data.connection_not_found'] as const

export const listCustomerRuns = defineOperation({
  id: 'customer_runs.list',
  method: 'GET',
  path: '/api/company-connections/{id}/flow-runs',
  document: 'customer',
  summary: 'The runs of one service that you take part in',
  callers: customers,
  rate: 'data',
  params: Type.Object({ id }),
  success: {
    status: 200,
    about: 'The runs, newest first, at most 500',
    body: Type.Object({ runs: Type.Array(FlowRunSummary) }),
  },
  errors: [...lost],
})

export const readCustomerRun = defineOperation({
  id: 'customer_runs.read',
  method: 'GET',
  path: '/api/company-connections/{id}/flow-runs/{runId}',
  document: 'customer',
  summary: 'One run',
  callers: customers,
  rate: 'data',
  params: ofRun,
  success: { status: 200, about: 'The run', body: FlowRun },
  errors: [...lost, 'flows.run_not_found'],
})

export const answerCustomerRun = defineOperation({
  id: 'customer_runs.answer',
  method: 'POST',
  path: '/api/company-connections/{id}/flow-runs/{runId}/answers',
  document: 'customer',
  summary: 'Take your turn',
  description: ANSWER,
  callers: customers,
  rate: 'data',
  creates: true,
  params: ofRun,
  body: Type.Object(answerBody),
  success: { status: 200, about: 'The run', body: FlowRun },
  errors: [...lost, ...answerErrors],
})

export const storeCustomerAnswerFile = defineOperation({
  id: 'customer_runs.store_file',
  method: 'POST',
  path: '/api/company-connections/{id}/flow-runs/{runId}/answer-files',
  document: 'customer',
  summary: 'Upload one copy of a file answer',
  description: 'Once per bound user; then answer with `{"_enc_file": <file>}` as the value of that user.',
  callers: customers,
  rate: 'data',
  creates: true,
  maxBodyBytes: FILE_BODY,
  params: ofRun,
  body: answerFileBody,
  success: { status: 201, about: 'The handle of the copy', body: StoredRunFile },
  errors: [...lost, ...answerFileErrors],
})

export const readCustomerAnswerFile = defineOperation({
  id: 'customer_runs.read_file',
  method: 'GET',
  path: '/api/company-connections/{id}/flow-runs/{runId}/answer-files/{file}',
  document: 'customer',
  summary: 'Your own copy of a file of the run',
  callers: customers,
  rate: 'data',
  jsonOnly: true,
  params: Type.Object({ id, runId, file: RunFile }),
  success: { status: 200, about: 'The sealed file', mediaType: 'application/json', jsonForm: Wrapper },
  errors: [...lost, 'flows.run_not_found', 'company_data.file_not_found'],
})

export const cancelCustomerRun = defineOperation({
  id: 'customer_runs.cancel',
  method: 'POST',
  path: '/api/company-connections/{id}/flow-runs/{runId}/cancel',
  document: 'customer',
  summary: 'Cancel a run',
  callers: customers,
  rate: 'data',
  creates: true,
  allowsEmptyBody: true,
  params: ofRun,
  body: cancelBody,
  success: { status: 200, about: 'The run', body: FlowRun },
  errors: [...lost, ...cancelErrors],
})

export const declineCustomerRun = defineOperation({
  ...cancelCustomerRun,
  id: 'customer_runs.decline',
  path: '/api/company-connections/{id}/flow-runs/{runId}/decline',
  summary: 'Decline a run, which cancels it',
})
