import { type ConnectionId, parseUuid, type UserId } from '@sealpost/kernel'
import { refuse } from '@sealpost/protocol'
import { type Caller, clientOf } from '../../../../platform/caller.ts'
import type { ServiceName } from '../../../services/index.ts'

/** The service of a data client's token; ids sent by the caller are ignored. */
export function serviceOf(caller: Caller): ServiceName {
  const { companyId, serviceId } = clientOf(caller)
  if (serviceId === null) throw new Error('service client without a service')
  return { companyId, serviceId }
}

export function readConnectionId(text: string): ConnectionId {
  const id = parseUuid<ConnectionId>(text)
  if (id === null) throw refuse('company_data.connection_not_found')
  return id
}

/** Malformed ids are skipped: no user has them. */
export function readUserIds(texts: readonly string[]): readonly UserId[] {
  return texts.flatMap((text) => parseUuid<UserId>(text) ?? [])
}
