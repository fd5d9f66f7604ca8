import {
  publishOwnRequestFields,
  publishRequestFields,
  readOwnRequestFields,
  readRequestFields,
  refuse,
} from '@sealpost/protocol'
import type { BindRoute } from '../../../bind.ts'
import { actorOf } from '../acting.ts'
import type { ServicesNeeds } from '../needs.ts'
import { nameOf, openService, ownServiceOf } from '../open.ts'
import { publishRows, readRows, showRows, showRowsWithAudience } from '../request-fields.ts'
import type { ServiceName } from '../service.ts'
import { findService } from '../store/services.ts'

export function bindRequestFieldRoutes(bind: BindRoute, needs: ServicesNeeds): void {
  bind({
    operation: readOwnRequestFields,
    locate: ({ caller }) => demandOwn(needs, ownServiceOf(caller)),
    handle: async ({ located }) => showRows(await readRows(needs, located)),
  })
  bind({
    operation: publishOwnRequestFields,
    locate: ({ caller }) => demandOwn(needs, ownServiceOf(caller)),
    async handle({ caller, located, body }) {
      const actor = { ...actorOf(caller), action: publishOwnRequestFields.id }
      return showRows(await publishRows(needs, actor, located, body))
    },
  })
  bind({
    operation: readRequestFields,
    locate: ({ caller, params }) => openService(needs, caller, params.id),
    handle: async ({ located }) => showRowsWithAudience(await readRows(needs, nameOf(located))),
  })
  bind({
    operation: publishRequestFields,
    locate: ({ caller, params }) => openService(needs, caller, params.id),
    async handle({ caller, located, body }) {
      const actor = { ...actorOf(caller), action: publishRequestFields.id }
      return showRowsWithAudience(await publishRows(needs, actor, nameOf(located), body))
    },
  })
}

/** A token may outlive its service by the time that it takes to end it. */
export async function demandOwn(
  { database }: Pick<ServicesNeeds, 'database'>,
  service: ServiceName,
): Promise<ServiceName> {
  const found = await database.read((read) => findService(read, service.companyId, service.serviceId))
  if (found === null) throw refuse('services.not_found')
  return service
}
