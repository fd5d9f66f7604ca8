import { formatInstant, parseUuid, type ServiceId, type UserId } from '@sealpost/kernel'
import {
  createDelegate,
  deleteDelegate,
  handOverServiceKey,
  listDelegates,
  type PageQueryText,
  refuse,
} from '@sealpost/protocol'
import type { BindRoute } from '../../../bind.ts'
import { addDelegate, type DelegateNeeds, handOverKey, removeDelegate } from '../delegates.ts'
import { pageById, sliceById } from '../paging.ts'
import { type DelegateId, type DelegateRow, findDelegateRow, listDelegateRows } from '../store/delegates.ts'
import { actingOf } from './acting.ts'

export function bindDelegateRoutes(bind: BindRoute, needs: DelegateNeeds): void {
  bind({ operation: listDelegates, handle: ({ caller, query }) => listPage(needs, caller.accountId, query) })
  bind({
    operation: createDelegate,
    async handle({ caller, body, storeAnswer }) {
      const wanted = { shareCode: body.share_code, role: body.role, services: body.services.map(readServiceId) }
      const keep: Parameters<typeof addDelegate>[3] = (tx, delegate) => storeAnswer(tx, showDelegate(delegate))
      return showDelegate(await addDelegate(needs, actingOf(caller), wanted, keep))
    },
  })
  bind({
    operation: deleteDelegate,
    locate: ({ caller, params }) => locate(needs, caller.accountId, params.id),
    async handle({ caller, located }): Promise<undefined> {
      await removeDelegate(needs, actingOf(caller), located)
    },
  })
  bind({
    operation: handOverServiceKey,
    locate: async ({ caller, params }) => ({
      id: await locate(needs, caller.accountId, params.id),
      serviceId: readServiceId(params.serviceId),
    }),
    async handle({ caller, located, body }) {
      return showDelegate(await handOverKey(needs, actingOf(caller), { ...located, sealed: body.sealed }))
    },
  })
}

async function listPage({ database }: DelegateNeeds, companyId: UserId, query: PageQueryText) {
  const slice = sliceById(query)
  const more = { ...slice, limit: slice.limit + 1 }
  return pageById(await database.read((read) => listDelegateRows(read, companyId, more)), slice, showDelegate)
}

async function locate({ database }: DelegateNeeds, companyId: UserId, text: string): Promise<DelegateId> {
  const id = parseUuid<DelegateId>(text)
  const found = id === null ? null : await database.read((read) => findDelegateRow(read, companyId, id))
  if (found === null) throw refuse('delegates.not_found')
  return found.id
}

function readServiceId(text: string): ServiceId {
  const id = parseUuid<ServiceId>(text)
  if (id === null) throw refuse('services.not_found')
  return id
}

function showDelegate(delegate: DelegateRow) {
  return {
    id: delegate.id,
    user_id: delegate.userId,
    share_code: delegate.shareCode,
    role: delegate.role,
    services: [...delegate.services],
    keyed_services: [...delegate.keyedServices],
    public_key: delegate.publicKey,
    created_at: formatInstant(delegate.createdAt),
  }
}
