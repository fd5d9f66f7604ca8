import type { ConnectionId, UserId } from '@sealpost/kernel'
import type { Tx } from '@sealpost/postgres'
import { refuse } from '@sealpost/protocol'
import { type Account, findAccount, lockAccount } from '../../../account/index.ts'
import type { CustomerContext } from '../context.ts'
import type { Connection, ConnectionName, ServiceAddress } from '../model.ts'
import { isOfSender } from '../rules/sender.ts'
import { findCard } from '../store/cards.ts'
import { deleteConnections, lockAllOf, lockConnection } from '../store/connections.ts'
import { changeCount, deleteCustomer } from '../store/customers.ts'
import { deleteRequestsOf } from '../store/requests.ts'
import { appendCustomerEvents } from './append-events.ts'

/** The service side decides, because it knows the contracts; its answer or its tell removes the connection here. */
export async function disconnect(context: CustomerContext, connection: Connection): Promise<void> {
  const outcome = await context.messages.askToEnd(connection)
  if (outcome === 'active_contract') throw refuse('company_connections.active_contract')
  await context.database.transaction((tx) => removeEnded(context, tx, connection))
}

/** Handles the tell; only the region of the service may end the connection. */
export async function hearEnded(
  context: CustomerContext,
  tx: Tx,
  name: ConnectionName,
  service: ServiceAddress,
): Promise<void> {
  const connection = await lockConnection(tx, name)
  if (connection !== null && isOfSender(connection, service)) await removeEnded(context, tx, connection)
}

async function removeEnded(context: CustomerContext, tx: Tx, name: ConnectionName): Promise<void> {
  const connection = await lockConnection(tx, name)
  if (connection === null) return
  await deleteConnections(tx, connection.accountId, [connection.id])
  if (connection.state === 'opening') return
  await context.hooks.onEnded(tx, connection.accountId, [connection])
  await changeCount(tx, connection.accountId, -1)
  const card = await findCard(tx, connection.serviceId)
  await appendCustomerEvents(context, tx, card, [{ kind: 'connection_deleted', connection }])
}

/** Answers the tell of a connection that this side does not have. */
export async function answerUnknown(
  { messages }: CustomerContext,
  tx: Tx,
  service: ServiceAddress,
  { accountId, connectionId }: { readonly accountId: UserId; readonly connectionId: ConnectionId },
): Promise<void> {
  const isErased = (await findAccount(tx, accountId)) === null
  await messages.tellGone(tx, { ...service, accountId, connectionId, isErased })
}

/** In the transaction that deletes the account: tells each service that its customer is gone. */
export async function forgetCustomer(
  { messages }: CustomerContext,
  tx: Tx,
  { id: accountId }: Pick<Account, 'id'>,
): Promise<void> {
  // FOR UPDATE: waits for a connection that is being opened; a later attempt finds no account.
  await lockAccount(tx, accountId)
  const connections = await lockAllOf(tx, accountId)
  for (const connection of connections) {
    await messages.tellGone(tx, { ...connection, connectionId: connection.id, isErased: true })
  }
  await deleteConnections(
    tx,
    accountId,
    connections.map(({ id }) => id),
  )
  await deleteRequestsOf(tx, accountId)
  await deleteCustomer(tx, accountId)
}
