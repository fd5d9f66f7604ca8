import Type from 'typebox'
import { type CallerKind, defineOperation } from '../operation.ts'
import { TurnPass } from '../wire/plugin.ts'

const managers = ['portal', 'delegate', 'account_client'] as const satisfies readonly CallerKind[]
const customers = ['person', 'portal', 'delegate', 'account_client'] as const satisfies readonly CallerKind[]
const id = Type.String({ maxLength: 255, description: 'The id of the service.' })
const flowId = Type.String({ maxLength: 64, description: 'The id of the flow.' })
const runId = Type.String({ maxLength: 64, description: 'The id of the run.' })

const passErrors = [
  'flows.run_not_found',
  'flows.not_your_turn',
  'flows.run_not_awaiting',
  'flows.definition_invalid',
  'account.counterparty_deleted',
] as const
const PASS =
  'For `POST {forwarder_url}/call`, within 10 minutes. A step without plugin elements has an empty list of plugins. A ' +
  'plugin whose `public_key` is null does not respond.'

export const createRunPass = defineOperation({
  id: 'flow_runs.create_pass',
  method: 'POST',
  path: '/api/company-data/flow-runs/{runId}/plugin-pass',
  document: 'company-data',
  summary: 'A pass to the plugins of the current step',
  description: PASS,
  callers: ['service_client'],
  rate: 'data',
  params: Type.Object({ runId }),
  success: { status: 200, about: 'The pass, and what the plugin elements need', body: TurnPass },
  errors: [...passErrors],
})

export const createServiceRunPass = defineOperation({
  ...createRunPass,
  id: 'service_runs.create_pass',
  path: '/api/services/{id}/flows/{flowId}/runs/{runId}/plugin-pass',
  document: 'account',
  callers: managers,
  params: Type.Object({ id, flowId, runId }),
  errors: ['services.not_found', 'services.second_factor_required', ...passErrors],
})

export const createCustomerRunPass = defineOperation({
  id: 'customer_runs.create_pass',
  method: 'POST',
  path: '/api/company-connections/{id}/flow-runs/{runId}/plugin-pass',
  document: 'customer',
  summary: 'A pass to the plugins of the step that is yours',
  description: PASS,
  callers: customers,
  rate: 'data',
  params: Type.Object({
    id: Type.String({ format: 'uuid', description: 'The id of the connection.' }),
    runId: Type.String({ format: 'uuid', description: 'The id of the run.' }),
  }),
  success: { status: 200, about: 'The pass, and what the plugin elements need', body: TurnPass },
  errors: ['company_data.connection_not_found', ...passErrors],
})
