import type { UserId } from '@sealpost/kernel'
import type { Tx } from '@sealpost/postgres'
import { refuse } from '@sealpost/protocol'
import { awaitGuards } from '../../access/index.ts'
import { lockAccount, recordAudit } from '../../account/index.ts'
import type { ServicesContext } from '../context.ts'
import type { Actor, ServiceName } from '../model.ts'
import { forgetDeletedServices, keepService } from '../store/deleted.ts'
import { changeCount, lockService, lockServicesOf, markDeleting } from '../store/services.ts'
import { endServiceJob, serviceJobs } from './jobs.ts'

/**
 * Resolves when the service is no longer found and no token of its client is accepted. A job ends its connections. The
 * runs, and what was signed or accepted, stay with the company, and with them the key of the service.
 */
export async function deleteService(
  services: ServicesContext,
  { actorId }: Actor,
  service: ServiceName,
): Promise<void> {
  const { companyId, serviceId } = service
  const revision = await services.database.transaction(async (tx) => {
    if ((await lockService(tx, companyId, serviceId)) === null) throw refuse('services.not_found')
    if (await services.hooks.hasOpenContracts(tx, service)) throw refuse('company_connections.active_contract')
    const at = services.clock.now()
    await keepService(tx, service, at)
    await beginDeletion(services, tx, service)
    await recordAudit(tx, { companyId, actorId, action: 'services.delete', ref: serviceId, serviceId, at })
    return services.hooks.endClients(tx, service)
  })
  if (revision !== null) await awaitGuards(services.database, revision)
}

/**
 * Part of the erasure of an account. Open contracts do not prevent it; jobs end the connections and delete what deleted
 * services have left.
 */
export async function endServicesOfAccount(services: ServicesContext, tx: Tx, companyId: UserId): Promise<void> {
  // FOR UPDATE: waits for a service that is being created, which would be left over otherwise.
  await lockAccount(tx, companyId)
  for (const { id: serviceId } of await lockServicesOf(tx, companyId))
    await beginDeletion(services, tx, { companyId, serviceId })
  for (const serviceId of await forgetDeletedServices(tx, companyId))
    await enqueueEnd(services, tx, { companyId, serviceId })
}

async function beginDeletion(services: ServicesContext, tx: Tx, service: ServiceName): Promise<void> {
  const { hooks } = services
  await markDeleting(tx, service)
  await changeCount(tx, service.companyId, -1)
  await enqueueEnd(services, tx, service)
  for (const hook of hooks.onServiceDeleted) await hook(tx, service)
}

async function enqueueEnd({ hooks, jobs }: ServicesContext, tx: Tx, service: ServiceName): Promise<void> {
  const { companyId: tenantId, serviceId: key } = service
  // The new job also deletes the contents of rows that were being removed.
  await jobs.cancelKeys(tx, serviceJobs, [key])
  const total = await hooks.countConnections(tx, service)
  await jobs.enqueue(tx, endServiceJob, { payload: service, tenantId, key, total })
}
