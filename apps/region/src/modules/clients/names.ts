import { parseClientId, parseUuid, type ServiceId, type UserId } from '@sealpost/kernel'
import type { ClientName } from './client.ts'

/** Null when the text is the id of no client at all. */
export function readClientName(companyId: UserId, id: string): ClientName | null {
  const clientId = parseClientId(id)
  return clientId === null ? null : { companyId, clientId }
}

export function readServiceId(id: string): ServiceId | null {
  return parseUuid<ServiceId>(id)
}
