import { deleteConnection, listConnections, readConnection, refuse } from '@sealpost/protocol'
import type { BindRoute } from '../../../../bind.ts'
import type { ServiceName } from '../../../services/index.ts'
import type { ServiceSideNeeds } from '../needs.ts'
import { endConnection } from '../operations/end.ts'
import { listRecords, readRecord } from '../operations/read.ts'
import { readConnectionId, serviceOf } from './caller.ts'
import { showPage, sliceOf } from './page.ts'

export function bindConnectionDataRoutes(bind: BindRoute, needs: ServiceSideNeeds): void {
  bind({
    operation: listConnections,
    async handle({ caller, query }) {
      const page = await listRecords(needs, serviceOf(caller), sliceOf('connections', query))
      return showPage('connections', page, (record) => record)
    },
  })
  bind({
    operation: readConnection,
    handle: ({ caller, params }) => readRecord(needs, serviceOf(caller), readConnectionId(params.connectionId)),
  })
  bind({
    operation: deleteConnection,
    async handle({ caller, params }): Promise<undefined> {
      await endByService(needs, serviceOf(caller), params.connectionId)
    },
  })
}

async function endByService(needs: ServiceSideNeeds, name: ServiceName, connectionId: string): Promise<void> {
  const ending = { ...name, id: readConnectionId(connectionId), by: 'service' } as const
  const outcome = await needs.database.transaction((tx) => endConnection(needs, tx, ending, () => true))
  if (outcome === 'gone') throw refuse('company_data.connection_not_found')
  if (outcome === 'active_contract') throw refuse('company_connections.active_contract')
}
