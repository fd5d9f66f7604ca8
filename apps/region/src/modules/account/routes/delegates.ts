import { parseUuid, type ServiceId, type UserId } from '@sealpost/kernel'
import {
  changeDelegate as changeDelegateRoute,
  createDelegate,
  deleteDelegate,
  handOverServiceKey,
  listCompanies,
  listDelegates,
  readDelegate,
  refuse,
} from '@sealpost/protocol'
import type { BindRoute } from '../../../platform/bind-route.ts'
import { listPage } from '../../../platform/page.ts'
import type { AccountContext } from '../context.ts'
import type { DelegateId, DelegateRow, Membership } from '../model.ts'
import { addDelegate, changeDelegate, handOverKey, removeDelegate } from '../operations/delegates.ts'
import { findDelegateRow, listDelegateRows } from '../store/delegates.ts'
import { listMemberships } from '../store/memberships.ts'
import { delegateToWire, membershipToWire } from '../wire.ts'
import { actorOf } from './actor.ts'

const delegates = { name: 'delegates', idOf: ({ id }: DelegateRow) => id, toWire: delegateToWire }
const companies = { name: 'companies', idOf: ({ companyId }: Membership) => companyId, toWire: membershipToWire }

export function bindDelegateRoutes(bind: BindRoute, account: AccountContext): void {
  bind({
    operation: listDelegates,
    handle: ({ caller, query }) =>
      listPage(delegates, query, (slice) =>
        account.database.read((read) => listDelegateRows(read, caller.accountId, slice)),
      ),
  })
  bind({
    operation: createDelegate,
    async handle({ caller, body }) {
      const wanted = { shareCode: body.share_code, role: body.role, services: body.services.map(readServiceId) }
      return delegateToWire(await addDelegate(account, actorOf(caller), wanted))
    },
  })
  bind({
    operation: readDelegate,
    locate: ({ caller, params }) => locate(account, caller.accountId, params.id),
    handle: ({ located }) => delegateToWire(located),
  })
  bind({
    operation: changeDelegateRoute,
    locate: ({ caller, params }) => locate(account, caller.accountId, params.id),
    async handle({ caller, located, body }) {
      const change = { role: body.role, services: body.services.map(readServiceId) }
      return delegateToWire(await changeDelegate(account, actorOf(caller), located.id, change))
    },
  })
  bind({
    operation: listCompanies,
    handle: ({ caller, query }) =>
      listPage(companies, query, (slice) =>
        account.database.read((read) => listMemberships(read, caller.userId, slice)),
      ),
  })
  bind({
    operation: deleteDelegate,
    locate: ({ caller, params }) => locate(account, caller.accountId, params.id),
    async handle({ caller, located }): Promise<undefined> {
      await removeDelegate(account, actorOf(caller), located.id)
    },
  })
  bind({
    operation: handOverServiceKey,
    locate: async ({ caller, params }) => ({
      id: (await locate(account, caller.accountId, params.id)).id,
      serviceId: readServiceId(params.serviceId),
    }),
    async handle({ caller, located, body }) {
      return delegateToWire(await handOverKey(account, actorOf(caller), { ...located, sealed: body.sealed }))
    },
  })
}

async function locate({ database }: AccountContext, companyId: UserId, text: string): Promise<DelegateRow> {
  const id = parseUuid<DelegateId>(text)
  const found = id === null ? null : await database.read((read) => findDelegateRow(read, companyId, id))
  if (found === null) throw refuse('delegates.not_found')
  return found
}

function readServiceId(text: string): ServiceId {
  const id = parseUuid<ServiceId>(text)
  if (id === null) throw refuse('services.not_found')
  return id
}
