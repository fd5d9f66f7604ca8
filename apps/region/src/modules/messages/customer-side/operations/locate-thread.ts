import { type ConnectionId, parseUuid, type UserId } from '@sealpost/kernel'
import { refuse } from '@sealpost/protocol'
import { findKnown, type KnownConnection } from '../../../connections/index.ts'
import { shownLifetime } from '../../rules/shown-lifetime.ts'
import type { CustomerContext } from '../context.ts'
import type { ReadableThread, ShownBroadcasts } from '../model.ts'
import { findThread } from '../store/threads.ts'

export type OwnConnection = KnownConnection['connection']

/** Another account's connection answers like a missing one; an own one that has ended stays readable. */
export async function locateThread(
  { database }: CustomerContext,
  accountId: UserId,
  text: string,
): Promise<ReadableThread> {
  const connectionId = parseUuid<ConnectionId>(text)
  if (connectionId === null) throw refuse('company_data.connection_not_found')
  return database.read(async (read) => {
    const name = { accountId, connectionId }
    const known = await findKnown(read, { accountId, id: connectionId })
    const thread = await findThread(read, name)
    if (known === null && thread?.isEnded !== true) throw refuse('company_data.connection_not_found')
    const shown = known === null ? (thread?.lifetime ?? null) : shownBy(known.connection)
    if (shown === null) return { ...name, shown }
    return { ...name, shown: { ...shown, ...shownLifetime(shown, thread?.clearedAt ?? null) } }
  })
}

function shownBy({ serviceId, companyRegion, connectedAt: from }: OwnConnection): ShownBroadcasts {
  return { serviceId, companyRegion, from, until: null }
}

/** For what needs a connection that has not ended. */
export async function locateOpen(
  { database }: CustomerContext,
  accountId: UserId,
  text: string,
): Promise<OwnConnection> {
  const id = parseUuid<ConnectionId>(text)
  if (id === null) throw refuse('company_data.connection_not_found')
  return database.read(async (read) => {
    const known = await findKnown(read, { accountId, id })
    if (known !== null) return known.connection
    const thread = await findThread(read, { accountId, connectionId: id })
    throw refuse(thread?.isEnded === true ? 'messages.not_connected' : 'company_data.connection_not_found')
  })
}
