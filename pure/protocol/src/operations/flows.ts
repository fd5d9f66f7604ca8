import Type from 'typebox'
import { defineOperation } from '../operation.ts'
import { PublishedFlow } from '../wire/flow.ts'

const flowId = Type.String({ maxLength: 255, description: 'The id of the flow.' })
const PUBLISHED =
  'Everything that a new run needs: prepare it from this version and send its number along, so that a version published in ' +
  'the meantime is noticed.'

export const readPublishedFlow = defineOperation({
  id: 'company_data.read_published_flow',
  method: 'GET',
  path: '/api/company-data/flows/{flowId}/published',
  document: 'company-data',
  summary: 'The latest published version of a flow',
  description: PUBLISHED,
  callers: ['service_client'],
  rate: 'data',
  params: Type.Object({ flowId }),
  success: { status: 200, about: 'The version', body: PublishedFlow },
  errors: ['flows.not_found', 'flows.not_published'],
})

export const readPublishedFlowOfService = defineOperation({
  id: 'services.read_published_flow',
  method: 'GET',
  path: '/api/services/{id}/flows/{flowId}/published',
  document: 'account',
  summary: 'The latest published version of a flow of a service',
  description: PUBLISHED,
  callers: ['portal', 'delegate', 'account_client'],
  delegateRole: 'operator',
  rate: 'data',
  params: Type.Object({ id: Type.String({ maxLength: 255, description: 'The id of the service.' }), flowId }),
  success: { status: 200, about: 'The version', body: PublishedFlow },
  errors: ['services.not_found', 'services.second_factor_required', 'flows.not_found', 'flows.not_published'],
})
