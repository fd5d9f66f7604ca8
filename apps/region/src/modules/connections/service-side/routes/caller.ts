import { type ConnectionId, parseUuid, type ServiceId, type UserId } from '@sealpost/kernel'
import { refuse } from '@sealpost/protocol'
import { type Caller, clientOf } from '../../../access/index.ts'
import { findService, type ServiceName } from '../../../services/index.ts'
import type { ServiceSideNeeds } from '../needs.ts'

/** The service behind a data client's token; no id from the caller is ever read. */
export function serviceOf(caller: Caller): ServiceName {
  const { companyId, serviceId } = clientOf(caller)
  if (serviceId === null) throw new Error('a service client without a service')
  return { companyId, serviceId }
}

/** A service that the caller manages; one that a delegate was not let into is not there. */
export async function locateService(
  { database }: ServiceSideNeeds,
  { accountId, services }: Caller,
  text: string,
): Promise<ServiceName> {
  const id = parseUuid<ServiceId>(text)
  const isOpen = id !== null && (services === null || services.includes(id))
  const found = isOpen ? await database.read((read) => findService(read, accountId, id)) : null
  if (found === null) throw refuse('services.not_found')
  return { companyId: accountId, serviceId: found.id }
}

export function readConnectionId(text: string): ConnectionId {
  const id = parseUuid<ConnectionId>(text)
  if (id === null) throw refuse('company_data.connection_not_found')
  return id
}

/** Ids that are none are those of nobody. */
export function readUserIds(texts: readonly string[]): readonly UserId[] {
  return texts.flatMap((text) => parseUuid<UserId>(text) ?? [])
}
