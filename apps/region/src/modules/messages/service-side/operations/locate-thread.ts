import { type ConnectionId, parseUuid, type ServiceId } from '@sealpost/kernel'
import { refuse } from '@sealpost/protocol'
import { findConnection, type StoredConnection } from '../../../connections/index.ts'
import type { ServiceSideContext } from '../context.ts'
import type { Suspendable } from '../model.ts'
import { listSuspensions } from '../store/suspensions.ts'
import { findThread } from '../store/threads.ts'

/** Runs before the body is validated: the answer to another service's id does not depend on the body. */
export async function locateThread(
  { database }: ServiceSideContext,
  serviceId: ServiceId,
  text: string,
): Promise<StoredConnection> {
  const id = parseUuid<ConnectionId>(text)
  if (id === null) throw refuse('company_data.connection_not_found')
  return database.read(async (read) => {
    const connection = await findConnection(read, serviceId, id)
    if (connection !== null) return connection
    const thread = await findThread(read, { serviceId, connectionId: id })
    throw refuse(thread?.isEnded === true ? 'messages.not_connected' : 'company_data.connection_not_found')
  })
}

/** Before any look-up of a connection, like a level: a suspended service learns nothing about ids. */
export async function requireAllowed(
  { database }: ServiceSideContext,
  serviceId: ServiceId,
  what: Suspendable,
): Promise<void> {
  const suspended = await database.read((read) => listSuspensions(read, serviceId))
  if (suspended.has('messages')) throw refuse('messages.messaging_suspended')
  if (suspended.has(what)) throw refuse('messages.broadcast_suspended')
}
