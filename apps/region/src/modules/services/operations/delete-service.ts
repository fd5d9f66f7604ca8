import type { UserId } from '@sealpost/kernel'
import type { Tx } from '@sealpost/postgres'
import { refuse } from '@sealpost/protocol'
import { awaitGuards } from '../../access/index.ts'
import { deleteDelegatedService, deleteRecoveryCopies, lockAccount, recordAudit } from '../../account/index.ts'
import type { ServicesContext } from '../context.ts'
import type { Actor, ServiceName } from '../model.ts'
import { changeCount, lockService, lockServicesOf, markDeleting } from '../store/services.ts'
import { deleteServiceJob, serviceJobs } from './jobs.ts'

/** Resolves when the service is no longer found and no token of its client is accepted. A job ends its connections. */
export async function deleteService(
  services: ServicesContext,
  { actorId }: Actor,
  service: ServiceName,
): Promise<void> {
  const { companyId, serviceId } = service
  const revision = await services.database.transaction(async (tx) => {
    if ((await lockService(tx, companyId, serviceId)) === null) throw refuse('services.not_found')
    if (await services.hooks.hasOpenContracts(tx, service)) throw refuse('company_connections.active_contract')
    await beginDeletion(services, tx, service)
    await deleteDelegatedService(tx, companyId, serviceId)
    await deleteRecoveryCopies(tx, companyId, serviceId)
    await recordAudit(tx, { companyId, actorId, action: 'services.delete', ref: serviceId, at: services.clock.now() })
    return services.hooks.endClients(tx, service)
  })
  if (revision !== null) await awaitGuards(services.database, revision)
}

/** Part of the erasure of an account. Open contracts do not prevent it; jobs end the connections. */
export async function endServicesOfAccount(services: ServicesContext, tx: Tx, companyId: UserId): Promise<void> {
  // FOR UPDATE: waits for a service that is being created, which would be left over otherwise.
  await lockAccount(tx, companyId)
  for (const { id: serviceId } of await lockServicesOf(tx, companyId))
    await beginDeletion(services, tx, { companyId, serviceId })
}

async function beginDeletion({ hooks, jobs }: ServicesContext, tx: Tx, service: ServiceName): Promise<void> {
  const { companyId: tenantId, serviceId: key } = service
  await markDeleting(tx, service)
  await changeCount(tx, tenantId, -1)
  // The new job also deletes the contents of rows that were being removed.
  await jobs.cancelKeys(tx, serviceJobs, [key])
  const total = await hooks.countConnections(tx, service)
  await jobs.enqueue(tx, deleteServiceJob, { payload: service, tenantId, key, total })
  for (const hook of hooks.onServiceDeleted) await hook(tx, service)
}
