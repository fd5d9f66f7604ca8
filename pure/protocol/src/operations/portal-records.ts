import Type from 'typebox'
import { type CallerKind, defineOperation } from '../operation.ts'
import { FlowRun, FlowRunSummary } from '../wire/flow-run.ts'
import { pageOf } from '../wire/paging.ts'
import { listDocuments, readDocument, readDocumentFile } from './documents.ts'
import { runFilters } from './flow-runs.ts'

// No path here is covered by a pattern of a machine client.
const users = ['portal', 'delegate'] as const satisfies readonly CallerKind[]
const owner = ['portal'] as const satisfies readonly CallerKind[]

const ofService = ['services.not_found', 'services.second_factor_required'] as const
const id = Type.String({ maxLength: 255, description: 'The id of the service.' })
const docId = Type.String({ maxLength: 64, description: 'The id of the document.' })
const runId = Type.String({ maxLength: 64, description: 'The id of the run.' })

const KEPT =
  'Of a deleted service the company, not its delegates, reads what stays: the runs without their answers, their documents, ' +
  'and all that was signed or accepted.'

export const listPortalDocuments = defineOperation({
  ...listDocuments,
  id: 'portal_documents.list',
  path: '/api/portal/services/{id}/documents',
  document: 'account',
  summary: 'The documents of a service, also of a deleted one',
  description: KEPT,
  callers: users,
  params: Type.Object({ id }),
  errors: [...ofService],
})

export const readPortalDocument = defineOperation({
  ...readDocument,
  id: 'portal_documents.read',
  path: '/api/portal/services/{id}/documents/{docId}',
  document: 'account',
  summary: 'One document of a service, also of a deleted one',
  callers: users,
  params: Type.Object({ id, docId }),
  errors: [...ofService, 'documents.not_found'],
})

export const readPortalDocumentFile = defineOperation({
  ...readDocumentFile,
  id: 'portal_documents.read_file',
  path: '/api/portal/services/{id}/documents/{docId}/file',
  document: 'account',
  callers: users,
  params: Type.Object({ id, docId }),
  errors: [...ofService, ...readDocumentFile.errors],
})

export const deletePortalDocument = defineOperation({
  id: 'portal_documents.delete',
  method: 'DELETE',
  path: '/api/portal/services/{id}/documents/{docId}',
  document: 'account',
  summary: 'Delete a document of a service, also of a deleted one',
  description:
    'As by the data client of the service. Of a deleted service any document goes but those of runs, which go with their run; ' +
    'the customer keeps the copy.',
  callers: owner,
  rate: 'data',
  params: Type.Object({ id, docId }),
  success: { status: 204, about: 'The document is deleted' },
  errors: [...ofService, 'documents.not_found', 'documents.contract_immutable', 'documents.run_managed'],
})

export const listPortalRuns = defineOperation({
  id: 'portal_runs.list',
  method: 'GET',
  path: '/api/portal/services/{id}/flow-runs',
  document: 'account',
  summary: 'The runs of all flows of a service, also of a deleted one',
  description: KEPT,
  callers: users,
  rate: 'data',
  params: Type.Object({ id }),
  query: runFilters,
  success: { status: 200, about: 'The runs, oldest first', body: pageOf(FlowRunSummary) },
  errors: [...ofService],
})

export const readPortalRun = defineOperation({
  id: 'portal_runs.read',
  method: 'GET',
  path: '/api/portal/services/{id}/flow-runs/{runId}',
  document: 'account',
  summary: 'One run of a service, also of a deleted one',
  callers: users,
  rate: 'data',
  params: Type.Object({ id, runId }),
  success: { status: 200, about: 'The run', body: FlowRun },
  errors: [...ofService, 'flows.run_not_found'],
})

export const deletePortalRun = defineOperation({
  id: 'portal_runs.delete',
  method: 'DELETE',
  path: '/api/portal/services/{id}/flow-runs/{runId}',
  document: 'account',
  summary: 'Delete a run of a deleted service',
  description:
    "With its documents and their signatures; the other participants keep their copies. With a service's last document and run " +
    'its key and the recovery copy of the passphrase go, too.',
  callers: owner,
  rate: 'data',
  params: Type.Object({ id, runId }),
  success: { status: 204, about: 'The run is deleted' },
  errors: [...ofService, 'flows.run_not_found'],
})
