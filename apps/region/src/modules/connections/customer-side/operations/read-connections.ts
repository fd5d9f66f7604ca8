import type { ConnectionId, UserId } from '@sealpost/kernel'
import type { Read, Tx } from '@sealpost/postgres'
import type { CustomerConnection } from '@sealpost/protocol'
import type { Slice } from '../../../../platform/page.ts'
import type { CustomerContext } from '../context.ts'
import type { CardedConnection, ConnectionName, KnownConnection, OpenConnection, ServiceAddress } from '../model.ts'
import { connectionNotFound } from '../rules/refusals.ts'
import { isOfSender } from '../rules/sender.ts'
import { findCard, listCards } from '../store/cards.ts'
import { findConnection, listOpen, lockConnection } from '../store/connections.ts'
import { listMappings } from '../store/mappings.ts'
import { connectionToWire } from '../wire.ts'

export async function requireKnown({ database }: CustomerContext, name: ConnectionName): Promise<KnownConnection> {
  const known = await database.read((read) => findKnown(read, name))
  if (known === null) throw connectionNotFound()
  return known
}

/** The answer of a read; writes answer without the documents, which they do not change. */
export async function readWithDocuments(
  { database, hooks }: CustomerContext,
  known: KnownConnection,
): Promise<CustomerConnection> {
  const { accountId, id } = known.connection
  const documents = await database.read((read) => hooks.listDocuments(read, accountId, [known.connection]))
  return connectionToWire(known, documents.get(id))
}

/** Null for another account's connection, for one that is not open yet, and when the service has ended. */
export async function findKnown(read: Read, name: ConnectionName): Promise<KnownConnection | null> {
  const connection = await findConnection(read, name)
  if (connection === null || connection.connectedAt === null) return null
  const [known] = await complete(read, name.accountId, [{ ...connection, connectedAt: connection.connectedAt }])
  return known ?? null
}

/** FOR UPDATE, which keeps the end of the connection away; null as for `findKnown`. */
export async function lockKnown(tx: Tx, name: ConnectionName): Promise<CardedConnection | null> {
  const connection = await lockConnection(tx, name)
  if (connection === null || connection.connectedAt === null) return null
  const card = await findCard(tx, connection.serviceId)
  const { connectedAt } = connection
  return card === null || card.isEnded ? null : { connection: { ...connection, connectedAt }, card }
}

/** The connection that a service's message names. */
export interface ToldConnection {
  readonly accountId: UserId
  readonly connectionId: ConnectionId
  readonly service: Pick<ServiceAddress, 'companyRegion' | 'serviceId'>
}

/** The same for a message about it; null also for a connection to another service. */
export async function lockTold(
  tx: Tx,
  { accountId, connectionId, service }: ToldConnection,
): Promise<CardedConnection | null> {
  const known = await lockKnown(tx, { accountId, id: connectionId })
  return known !== null && isOfSender(known.connection, service) ? known : null
}

/** In the order of their ids. */
export async function listKnown(
  read: Read,
  accountId: UserId,
  slice: Slice<ConnectionId>,
): Promise<readonly KnownConnection[]> {
  return complete(read, accountId, await listOpen(read, accountId, slice))
}

async function complete(
  read: Read,
  accountId: UserId,
  connections: readonly OpenConnection[],
): Promise<readonly KnownConnection[]> {
  const ids = connections.map(({ id }) => id)
  const cards = await listCards(read, [...new Set(connections.map(({ serviceId }) => serviceId))])
  const cardOf = new Map(cards.map((card) => [card.serviceId, card]))
  const mappings = Map.groupBy(await listMappings(read, accountId, ids), ({ connectionId }) => connectionId)
  return connections.flatMap((connection) => {
    const card = cardOf.get(connection.serviceId)
    if (card === undefined || card.isEnded) return []
    return [{ connection, card, mappings: mappings.get(connection.id) ?? [] }]
  })
}
