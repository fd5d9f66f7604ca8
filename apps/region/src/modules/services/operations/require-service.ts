import { parseUuid, type ServiceId, type UserId } from '@sealpost/kernel'
import type { Read } from '@sealpost/postgres'
import { refuse } from '@sealpost/protocol'
import { type Caller, clientOf } from '../../../platform/caller.ts'
import type { ServicesContext } from '../context.ts'
import type { DeletedService, Service, ServiceName } from '../model.ts'
import { findDeletedService } from '../store/deleted.ts'
import { findService } from '../store/services.ts'

/**
 * The service that a path names, for this caller. Another company's service answers like a missing one, and so does one
 * that a delegate has no access to. A machine client needs no second factor.
 */
export function requireService(services: Uses, caller: ServiceCaller, id: string): Promise<Service> {
  return locate(services, caller, id, findService)
}

/** Also a deleted service of which the company keeps evidence; delegates have no access to one. */
export function requireReadable(services: Uses, caller: ServiceCaller, id: string): Promise<Service | DeletedService> {
  return locate<Service | DeletedService>(services, caller, id, async (...named) => {
    return (await findService(...named)) ?? findDeletedService(...named)
  })
}

/** Not a service that is in use. */
export function requireDeleted(services: Uses, caller: ServiceCaller, id: string): Promise<DeletedService> {
  return locate(services, caller, id, findDeletedService)
}

type Uses = Pick<ServicesContext, 'database' | 'hooks'>
type ServiceCaller = Pick<Caller, 'accountId' | 'userId' | 'client' | 'services'>

async function locate<Found extends Service>(
  { database, hooks }: Uses,
  caller: ServiceCaller,
  id: string,
  find: (read: Read, companyId: UserId, id: ServiceId) => Promise<Found | null>,
): Promise<Found> {
  const serviceId = parseUuid<ServiceId>(id)
  const hasAccess = serviceId !== null && (caller.services === null || caller.services.includes(serviceId))
  const service = hasAccess ? await database.read((read) => find(read, caller.accountId, serviceId)) : null
  if (service === null) throw refuse('services.not_found')
  if (service.require2fa && caller.client === null && !(await hooks.hasSecondFactor(caller.accountId, caller.userId))) {
    throw refuse('services.second_factor_required')
  }
  return service
}

/** The service of a data client. Only the token names it: no id is read from the request. */
export function ownServiceOf(caller: Caller): ServiceName {
  const { companyId, serviceId } = clientOf(caller)
  if (serviceId === null) throw new Error('data client without a service')
  return { companyId, serviceId }
}

/** The service of a data client, which may have been deleted since the gates passed. */
export async function requireOwnService(
  { database }: Pick<ServicesContext, 'database'>,
  caller: Caller,
): Promise<ServiceName> {
  const service = ownServiceOf(caller)
  const found = await database.read((read) => findService(read, service.companyId, service.serviceId))
  if (found === null) throw refuse('services.not_found')
  return service
}
