import {
  publishOwnRequestFields,
  publishRequestFields,
  readOwnRequestFields,
  readRequestFields,
} from '@sealpost/protocol'
import type { BindRoute } from '../../../platform/bind-route.ts'
import type { ServicesContext } from '../context.ts'
import { nameOfService } from '../model.ts'
import { publishRows, readCountedRows, readRows } from '../operations/publish-rows.ts'
import { requireOwnService, requireService } from '../operations/require-service.ts'
import { countedRowsToWire, rowsToWire, rowsWithAudienceToWire } from '../wire.ts'
import { actorOf } from './actor.ts'

export function bindRequestFieldRoutes(bind: BindRoute, services: ServicesContext): void {
  bind({
    operation: readOwnRequestFields,
    locate: ({ caller }) => requireOwnService(services, caller),
    handle: async ({ located }) => rowsToWire(await readRows(services, located)),
  })
  bind({
    operation: publishOwnRequestFields,
    locate: ({ caller }) => requireOwnService(services, caller),
    async handle({ caller, located, body }) {
      const actor = { ...actorOf(caller), action: publishOwnRequestFields.id }
      return rowsToWire(await publishRows(services, actor, located, body))
    },
  })
  bind({
    operation: readRequestFields,
    locate: ({ caller, params }) => requireService(services, caller, params.id),
    async handle({ located, query }) {
      const service = nameOfService(located)
      return query.include === 'value_counts'
        ? countedRowsToWire(await readCountedRows(services, service))
        : rowsWithAudienceToWire(await readRows(services, service))
    },
  })
  bind({
    operation: publishRequestFields,
    locate: ({ caller, params }) => requireService(services, caller, params.id),
    async handle({ caller, located, body }) {
      const actor = { ...actorOf(caller), action: publishRequestFields.id }
      return rowsWithAudienceToWire(await publishRows(services, actor, nameOfService(located), body))
    },
  })
}
