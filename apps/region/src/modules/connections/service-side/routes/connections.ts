import { createConnectRequest, deleteConnection, listConnections, readConnection, refuse } from '@sealpost/protocol'
import type { BindRoute } from '../../../../platform/bind-route.ts'
import type { ServiceName } from '../../../services/index.ts'
import type { ServiceSideContext } from '../context.ts'
import { requestConnection, requestToWire } from '../operations/connect-requests.ts'
import { endConnection } from '../operations/end-connection.ts'
import { listRecords, readRecord } from '../operations/read-connections.ts'
import { readConnectionId, serviceOf } from './caller.ts'

export function bindConnectionDataRoutes(bind: BindRoute, context: ServiceSideContext): void {
  bind({
    operation: listConnections,
    handle: ({ caller, query }) => listRecords(context, serviceOf(caller), query),
  })
  bind({
    operation: readConnection,
    handle: ({ caller, params }) => readRecord(context, serviceOf(caller), readConnectionId(params.connectionId)),
  })
  bind({
    operation: deleteConnection,
    async handle({ caller, params }): Promise<undefined> {
      await endByService(context, serviceOf(caller), params.connectionId)
    },
  })
}

async function endByService(context: ServiceSideContext, name: ServiceName, connectionId: string): Promise<void> {
  const ending = { ...name, id: readConnectionId(connectionId), by: 'service' } as const
  const outcome = await context.database.transaction((tx) => endConnection(context, tx, ending, () => true))
  if (outcome === 'gone') throw refuse('company_data.connection_not_found')
  if (outcome === 'active_contract') throw refuse('company_connections.active_contract')
}

export function bindConnectRequestRoute(bind: BindRoute, context: ServiceSideContext): void {
  bind({
    operation: createConnectRequest,
    async handle({ caller, body }) {
      const invitation = { shareCode: body.share_code, message: body.message ?? null }
      return requestToWire(await requestConnection(context, serviceOf(caller), invitation))
    },
  })
}
