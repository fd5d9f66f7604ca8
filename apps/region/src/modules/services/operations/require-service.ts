import { parseUuid, type ServiceId } from '@sealpost/kernel'
import { refuse } from '@sealpost/protocol'
import { type Caller, clientOf } from '../../../platform/caller.ts'
import type { ServicesContext } from '../context.ts'
import type { Service, ServiceName } from '../model.ts'
import { findService } from '../store/services.ts'

/**
 * The service that a path names, for this caller. Another company's service answers like a missing one, and so does one
 * that a delegate has no access to. A machine client needs no second factor.
 */
export async function requireService(
  { database, hooks }: Pick<ServicesContext, 'database' | 'hooks'>,
  caller: Pick<Caller, 'accountId' | 'userId' | 'client' | 'services'>,
  id: string,
): Promise<Service> {
  const serviceId = parseUuid<ServiceId>(id)
  const hasAccess = serviceId !== null && (caller.services === null || caller.services.includes(serviceId))
  const service = hasAccess ? await database.read((read) => findService(read, caller.accountId, serviceId)) : null
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
