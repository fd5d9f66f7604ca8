import { type ConnectionId, parseUuid, type ServiceId } from '@sealpost/kernel'
import { refuse } from '@sealpost/protocol'
import { findConnection } from '../../../connections/index.ts'
import { shownLifetime } from '../../rules/shown-lifetime.ts'
import type { ServiceSideContext } from '../context.ts'
import type { ReadableThread, Suspendable, ThreadName } from '../model.ts'
import { listSuspensions } from '../store/suspensions.ts'
import { findThread } from '../store/threads.ts'

/** Runs before the body is validated: the answer to another service's id does not depend on the body. */
export async function locateThread(
  { database }: ServiceSideContext,
  serviceId: ServiceId,
  text: string,
): Promise<ReadableThread> {
  const connectionId = parseUuid<ConnectionId>(text)
  if (connectionId === null) throw refuse('company_data.connection_not_found')
  return database.read(async (read) => {
    const name = { serviceId, connectionId }
    const connection = await findConnection(read, serviceId, connectionId)
    const thread = await findThread(read, name)
    if (connection === null && thread?.isEnded !== true) throw refuse('company_data.connection_not_found')
    const lifetime = connection === null ? null : { from: connection.connectedAt, until: null }
    const known = lifetime ?? thread?.lifetime ?? null
    return { ...name, lifetime: known === null ? null : shownLifetime(known, thread?.clearedAt ?? null) }
  })
}

/** For what needs a connection that has not ended. */
export async function locateOpen(context: ServiceSideContext, serviceId: ServiceId, text: string): Promise<ThreadName> {
  const { lifetime, ...name } = await locateThread(context, serviceId, text)
  if (lifetime === null || lifetime.until !== null) throw refuse('messages.not_connected')
  return name
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
