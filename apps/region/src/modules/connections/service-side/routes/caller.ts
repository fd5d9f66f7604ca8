import { type ConnectionId, parseUuid, type UserId } from '@sealpost/kernel'
import { refuse } from '@sealpost/protocol'
import { type Caller, clientOf } from '../../../../caller.ts'
import type { ServiceName } from '../../../services/index.ts'

/** The service behind a data client's token; no id from the caller is ever read. */
export function serviceOf(caller: Caller): ServiceName {
  const { companyId, serviceId } = clientOf(caller)
  if (serviceId === null) throw new Error('a service client without a service')
  return { companyId, serviceId }
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
