import type { Instant } from '@sealpost/kernel'
import type { Tx } from '@sealpost/postgres'
import { findAccount, lockProfileForShare } from '../../../account/index.ts'
import type { CustomerContext } from '../context.ts'
import type { Connection, ConnectionName, OpenConnection, ServiceAddress, ServiceCard } from '../model.ts'
import { isOfSender } from '../rules/sender.ts'
import { lockCardForShare } from '../store/cards.ts'
import { deleteConnections, findConnection, lockPair, markOpen, takeRevs } from '../store/connections.ts'
import { changeCount } from '../store/customers.ts'
import { deleteStale } from '../store/mappings.ts'
import { deleteRequest } from '../store/requests.ts'
import { withdrawalToWire } from '../wire.ts'
import { appendCustomerEvents, type CustomerEvent } from './append-events.ts'
import { tellRenamed } from './tell-renamed.ts'

/**
 * The service has the connection, as its reply or its tell says: `opening` becomes `open`. Idempotent. Null when this side
 * has no such connection with that service, or the service has ended since.
 */
export async function confirmConnection(
  context: CustomerContext,
  tx: Tx,
  name: ConnectionName,
  connectedAt: Instant,
  service: ServiceAddress,
): Promise<OpenConnection | null> {
  const found = await findConnection(tx, name)
  if (found === null || !isOfSender(found, service)) return null
  // A concurrent rename or end of the service reaches open connections only, so it waits until this one is open.
  await lockProfileForShare(tx, found.accountId)
  const card = await lockCardForShare(tx, found.serviceId)
  const pair = await lockPair(tx, found.accountId, found.serviceId)
  const connection = pair.find(({ id }) => id === name.id)
  if (connection === undefined) return null
  if (connection.connectedAt !== null) return { ...connection, connectedAt: connection.connectedAt }
  if (card === null || card.isEnded) {
    await deleteConnections(tx, connection.accountId, [connection.id])
    return null
  }
  const opened: OpenConnection = { ...connection, state: 'open', connectedAt }
  await openLocked(context, tx, { opened, card, pair })
  return opened
}

interface Opened {
  readonly opened: OpenConnection
  readonly card: ServiceCard
  readonly pair: readonly Connection[]
}

async function openLocked(context: CustomerContext, tx: Tx, { opened, card, pair }: Opened): Promise<void> {
  const { accountId } = opened
  // A service has one connection per customer: a new one means that the old one has ended, and that its tell will follow.
  const replaced = pair.filter(({ id, state }) => id !== opened.id && state === 'open')
  await deleteConnections(
    tx,
    accountId,
    replaced.map(({ id }) => id),
  )
  if (replaced.length > 0) await context.hooks.onEnded(tx, accountId, replaced)
  await markOpen(tx, opened, opened.connectedAt)
  await withdrawStale(context, tx, opened)
  const { requestId } = opened
  const isAnswered = requestId !== null && (await deleteRequest(tx, accountId, requestId))
  await changeCount(tx, accountId, 1 - replaced.length)
  await tellNameIfNew(context, tx, opened)
  const ended = replaced.map((connection): CustomerEvent => ({ kind: 'connection_deleted', connection }))
  await appendCustomerEvents(context, tx, card, [...ended, { kind: 'connection_created', connection: opened }])
  if (isAnswered) await context.hooks.hint(tx, [{ accountId, kind: 'connect_request_closed', id: requestId }])
}

/**
 * [Note: edits while a connection opens] Devices do not see a connection that is still opening, so they cannot seal for it
 * and an edit asks for no share. An edit marks the slots that follow the field as stale instead, and stale slots are
 * withdrawn when the connection opens: they are pending again, and no service keeps an outdated value.
 */
async function withdrawStale({ messages, clock }: CustomerContext, tx: Tx, opened: OpenConnection): Promise<void> {
  const stale = await deleteStale(tx, opened)
  if (stale.length === 0) return
  const now = clock.now()
  const first = (await takeRevs(tx, opened, stale.length, now)) - stale.length + 1
  const withdrawals = stale.map((id, index) => withdrawalToWire(id, first + index, now))
  await messages.tellSlots(tx, opened, withdrawals)
}

/** The ask carried the old name if the customer was renamed meanwhile. */
async function tellNameIfNew(
  context: CustomerContext,
  tx: Tx,
  { accountId, displayName }: OpenConnection,
): Promise<void> {
  const account = await findAccount(tx, accountId)
  if (account !== null && account.displayName !== displayName) await tellRenamed(context, tx, account)
}
