import { type ConnectionId, parseUuid, type UserId } from '@sealpost/kernel'
import { refuse } from '@sealpost/protocol'
import { findKnown, type KnownConnection } from '../../../connections/index.ts'
import type { CustomerContext } from '../context.ts'
import { findThread } from '../store/threads.ts'

export type OwnConnection = KnownConnection['connection']

/** Another account's connection answers like a missing one; an own one that has ended has its own refusal. */
export async function locateThread(
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
