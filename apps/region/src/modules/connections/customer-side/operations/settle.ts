import { formatInstant, type Instant } from '@sealpost/kernel'
import type { Tx } from '@sealpost/postgres'
import { findAccount, holdProfile } from '../../../account/index.ts'
import type { Connection, ConnectionName, OpenConnection, ServiceAddress, ServiceCard } from '../connection.ts'
import { announce, type CustomerNews } from '../events.ts'
import type { CustomerNeeds } from '../needs.ts'
import { holdCard } from '../store/cards.ts'
import { deleteConnections, findConnection, lockPair, markOpen, takeRevs } from '../store/connections.ts'
import { changeCount } from '../store/customers.ts'
import { takeStale } from '../store/mappings.ts'
import { deleteRequest } from '../store/requests.ts'
import { tellRenamed } from './rename.ts'
import { showDrop } from './tell-changes.ts'

type SettleNeeds = Pick<CustomerNeeds, 'wire' | 'clock' | 'ids'>

/**
 * The service has the connection: what was `opening` becomes open, whether its answer says so or its tell. Done twice it
 * changes nothing. Null when this side knows no such connection with that service, or the service has ended since.
 */
export async function settle(
  needs: SettleNeeds,
  tx: Tx,
  name: ConnectionName,
  connectedAt: Instant,
  service: ServiceAddress,
): Promise<OpenConnection | null> {
  const found = await findConnection(tx, name)
  if (found?.serviceId !== service.serviceId || found.companyRegion !== service.companyRegion) return null
  // Whoever gives the customer a new name or ends the service tells those connections that are open: they wait for this one.
  await holdProfile(tx, found.accountId)
  const card = await holdCard(tx, found.serviceId)
  const pair = await lockPair(tx, found.accountId, found.serviceId)
  const connection = pair.find(({ id }) => id === name.id)
  if (connection === undefined) return null
  if (connection.connectedAt !== null) return { ...connection, connectedAt: connection.connectedAt }
  if (card === null || card.isEnded) {
    await deleteConnections(tx, connection.accountId, [connection.id])
    return null
  }
  const opened: OpenConnection = { ...connection, state: 'open', connectedAt }
  await openHeld(needs, tx, { opened, card, pair })
  return opened
}

interface Settled {
  readonly opened: OpenConnection
  readonly card: ServiceCard
  readonly pair: readonly Connection[]
}

async function openHeld(needs: SettleNeeds, tx: Tx, { opened, card, pair }: Settled): Promise<void> {
  const { accountId } = opened
  // A service has one connection with a customer: if it made a new one, the old one is over, and its tell is on the way.
  const replaced = pair.filter(({ id, state }) => id !== opened.id && state === 'open')
  await deleteConnections(
    tx,
    accountId,
    replaced.map(({ id }) => id),
  )
  await markOpen(tx, opened, opened.connectedAt)
  await withdrawStale(needs, tx, opened)
  if (opened.requestId !== null) await deleteRequest(tx, accountId, opened.requestId)
  await changeCount(tx, accountId, 1 - replaced.length)
  await tellNameIfNew(needs, tx, opened)
  const news: CustomerNews[] = replaced.map((connection) => ({ kind: 'connection_deleted', connection }))
  await announce(tx, needs, card, [...news, { kind: 'connection_created', connection: opened }])
}

/**
 * [Note: edits while a connection opens] Nobody can seal for a connection that is not shown yet, so its slots ask for no
 * share. Whatever happens to the field behind one meanwhile marks it stale, and a stale slot is withdrawn the moment the
 * connection opens: it is pending again, and no service keeps a value that its owner has changed.
 */
async function withdrawStale({ wire, clock }: SettleNeeds, tx: Tx, opened: OpenConnection): Promise<void> {
  const stale = await takeStale(tx, opened)
  if (stale.length === 0) return
  const now = clock.now()
  const last = await takeRevs(tx, opened, stale.length, now)
  const at = formatInstant(now)
  const drops = stale.map((id, index) => showDrop(id, last - stale.length + 1 + index, at))
  await wire.tellSlots(tx, opened, drops)
}

/** A name that changed while the service was asked is one that it was not told. */
async function tellNameIfNew(needs: SettleNeeds, tx: Tx, { accountId, displayName }: OpenConnection): Promise<void> {
  const account = await findAccount(tx, accountId)
  if (account !== null && account.displayName !== displayName) await tellRenamed(needs, tx, account)
}
