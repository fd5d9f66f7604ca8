import type { ConnectionId, UserId } from '@sealpost/kernel'
import type { Tx } from '@sealpost/postgres'
import { refuse } from '@sealpost/protocol'
import { type Account, findAccount, lockAccount } from '../../../account/index.ts'
import type { Connection, ConnectionName, ServiceAddress } from '../connection.ts'
import { announce } from '../events.ts'
import type { CustomerNeeds } from '../needs.ts'
import { findCard } from '../store/cards.ts'
import { deleteConnections, lockAllOf, lockConnection } from '../store/connections.ts'
import { changeCount, deleteCustomer } from '../store/customers.ts'
import { deleteRequestsOf } from '../store/requests.ts'

type EndNeeds = Pick<CustomerNeeds, 'clock' | 'ids'>

/** The service's side decides, because contracts are its own; what is left here goes with its answer or its tell. */
export async function disconnect(needs: CustomerNeeds, connection: Connection): Promise<void> {
  const outcome = await needs.wire.end(connection)
  if (outcome === 'active_contract') throw refuse('company_connections.active_contract')
  await needs.database.transaction((tx) => removeEnded(needs, tx, connection))
}

/** The tell: only the region of the service may end it. */
export async function hearEnded(
  needs: EndNeeds,
  tx: Tx,
  name: ConnectionName,
  { companyRegion, serviceId }: ServiceAddress,
): Promise<void> {
  const connection = await lockConnection(tx, name)
  const isTheirs = connection?.companyRegion === companyRegion && connection.serviceId === serviceId
  if (isTheirs) await removeEnded(needs, tx, connection)
}

async function removeEnded(needs: EndNeeds, tx: Tx, name: ConnectionName): Promise<void> {
  const connection = await lockConnection(tx, name)
  if (connection === null) return
  await deleteConnections(tx, connection.accountId, [connection.id])
  if (connection.state === 'opening') return
  await changeCount(tx, connection.accountId, -1)
  await announce(tx, needs, await findCard(tx, connection.serviceId), [{ kind: 'connection_deleted', connection }])
}

/** A service tells of a connection that this side knows nothing of, or no longer. */
export async function answerUnknown(
  { wire }: Pick<CustomerNeeds, 'wire'>,
  tx: Tx,
  service: ServiceAddress,
  { accountId, connectionId }: { readonly accountId: UserId; readonly connectionId: ConnectionId },
): Promise<void> {
  const isErased = (await findAccount(tx, accountId)) === null
  await wire.tellGone(tx, { ...service, accountId, connectionId, isErased })
}

/** In the transaction that erases the account. Services learn that nobody is behind their connections any more. */
export async function forgetCustomer(
  { wire }: Pick<CustomerNeeds, 'wire'>,
  tx: Tx,
  { id: accountId }: Pick<Account, 'id'>,
): Promise<void> {
  // A connection that is being opened this moment is waited for; whoever comes later finds nobody to open it for.
  await lockAccount(tx, accountId)
  const connections = await lockAllOf(tx, accountId)
  for (const connection of connections) {
    await wire.tellGone(tx, { ...connection, connectionId: connection.id, isErased: true })
  }
  await deleteConnections(
    tx,
    accountId,
    connections.map(({ id }) => id),
  )
  await deleteRequestsOf(tx, accountId)
  await deleteCustomer(tx, accountId)
}
