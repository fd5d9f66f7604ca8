import { parseUuid, type ServiceId } from '@sealpost/kernel'
import { refuse } from '@sealpost/protocol'
import { type Caller, clientOf } from '../../caller.ts'
import type { ServicesNeeds } from './needs.ts'
import type { Service, ServiceName } from './service.ts'
import { findService } from './store/services.ts'

export type OpenNeeds = Pick<ServicesNeeds, 'database' | 'hasSecondFactor'>
export type Opener = Pick<Caller, 'accountId' | 'userId' | 'client' | 'services'>

/**
 * The service that a path names, for this caller. A stranger's answers like a missing one, and so does one that a
 * delegate was not let into. Machine clients have no second factor, and none is asked of them.
 */
export async function openService(
  { database, hasSecondFactor }: OpenNeeds,
  caller: Opener,
  id: string,
): Promise<Service> {
  const serviceId = parseUuid<ServiceId>(id)
  const isLetIn = serviceId !== null && (caller.services === null || caller.services.includes(serviceId))
  const service = isLetIn ? await database.read((read) => findService(read, caller.accountId, serviceId)) : null
  if (service === null) throw refuse('services.not_found')
  if (service.require2fa && caller.client === null && !(await hasSecondFactor(caller.accountId, caller.userId))) {
    throw refuse('services.second_factor_required')
  }
  return service
}

export function nameOf({ companyId, id }: Service): ServiceName {
  return { companyId, serviceId: id }
}

/** The service of a data client: the token alone says which, no id from the caller is ever read. */
export function ownServiceOf(caller: Caller): ServiceName {
  const { companyId, serviceId } = clientOf(caller)
  if (serviceId === null) throw new Error('a service client without a service')
  return { companyId, serviceId }
}
