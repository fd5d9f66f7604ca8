import type { UserId } from '@sealpost/kernel'
import type { Tx } from '@sealpost/postgres'
import { refuse } from '@sealpost/protocol'
import { dropDelegatedService, dropRecoveryCopies, lockAccount, recordAudit } from '../account/index.ts'
import type { Actor } from './acting.ts'
import type { ServicesNeeds } from './needs.ts'
import type { ServiceName } from './service.ts'
import { deleteJobs, insertJob } from './store/jobs.ts'
import { changeCount, lockService, lockServicesOf, markDeleting } from './store/services.ts'

/** Resolves when nobody finds the service any more and no token of its client is good. Its connections end afterwards. */
export async function deleteService(needs: ServicesNeeds, actor: Actor, service: ServiceName): Promise<void> {
  const { companyId, serviceId } = service
  const revision = await needs.database.transaction(async (tx) => {
    if ((await lockService(tx, companyId, serviceId)) === null) throw refuse('services.not_found')
    if (await needs.hooks.hasOpenContracts(tx, service)) throw refuse('company_connections.active_contract')
    await beginEnd(needs, tx, service)
    await dropDelegatedService(tx, companyId, serviceId)
    await dropRecoveryCopies(tx, companyId, serviceId)
    const { actorId } = actor
    await recordAudit(tx, { companyId, actorId, action: 'services.delete', ref: serviceId, at: needs.clock.now() })
    return needs.endClients(tx, service)
  })
  if (revision !== null) await needs.settle(revision)
}

/** With the account, in its transaction: an open contract holds nobody back, and the jobs do the rest. */
export async function endServicesOfAccount(needs: ServicesNeeds, tx: Tx, companyId: UserId): Promise<void> {
  // Or a service that is just being made would be left over.
  await lockAccount(tx, companyId)
  for (const { id: serviceId } of await lockServicesOf(tx, companyId))
    await beginEnd(needs, tx, { companyId, serviceId })
}

async function beginEnd({ hooks, ids, clock }: ServicesNeeds, tx: Tx, service: ServiceName): Promise<void> {
  await markDeleting(tx, service)
  await changeCount(tx, service.companyId, -1)
  // Rows that were being removed go with everything else.
  await deleteJobs(tx, service)
  const total = await hooks.countConnections(tx, service)
  const job = { ...service, id: ids.uuid(), kind: 'delete_service', rows: null, cursor: null } as const
  await insertJob(tx, { ...job, done: 0, total, attempts: 0 }, clock.now())
  for (const hook of hooks.onServiceDeleted) await hook(tx, service)
}
