import type { ConnectionId, Instant, ServiceId, UserId } from '@sealpost/kernel'
import type { Tx } from '@sealpost/postgres'
import { findUsableConnection, isOfSender, lockOwnConnection, type OpenConnection } from '../../../connections/index.ts'
import type { Outcome } from '../../model.ts'
import type { CustomerContext } from '../context.ts'
import type { Card, CardName } from '../model.ts'
import { closeCard, findCard, insertCard } from '../store/cards.ts'
import { activate } from '../store/enrollments.ts'

/** A connection of the customer, as the service's region names it. */
export interface ToldConnection {
  readonly accountId: UserId
  readonly connectionId: ConnectionId
  readonly serviceId: ServiceId
  /** A region may act only for its own services. */
  readonly companyRegion: string
}

/** The reply to the enrolment may be lost. One that was revoked since stays revoked: its tell is on the way. */
export async function hearEnrolled(
  tx: Tx,
  told: ToldConnection,
  { rev, enrolledAt }: { readonly rev: number; readonly enrolledAt: Instant },
): Promise<void> {
  const connection = await lockTold(tx, told)
  if (connection !== null) await activate(tx, connection, rev, enrolledAt)
}

/** A card for a person who has revoked the enrolment is not shown: the service's side hears of it. */
export async function hearRaised(
  { hooks }: CustomerContext,
  tx: Tx,
  told: ToldConnection,
  card: Omit<Card, 'outcome' | 'accountId' | 'connectionId'>,
): Promise<void> {
  const connection = await lockTold(tx, told)
  if (connection === null) return
  const { accountId, id: connectionId, serviceId } = connection
  if (!(await insertCard(tx, serviceId, { ...card, accountId, connectionId }))) return
  await hooks.hint(tx, { accountId, kind: 'challenge_raised', id: card.id, expiresAt: card.expiresAt })
}

/** An answer that this region gave has closed the card already. */
export async function hearClosed(
  context: CustomerContext,
  tx: Tx,
  told: ToldConnection,
  { id, ...outcome }: Outcome & Pick<CardName, 'id'>,
): Promise<void> {
  const name = { accountId: told.accountId, id }
  const card = await findCard(tx, name)
  if (card === null || card.outcome !== null || card.connectionId !== told.connectionId) return
  if ((await lockTold(tx, told)) !== null) await withdrawCard(context, tx, name, outcome)
}

/** The other devices of the person remove the card. */
export async function withdrawCard(
  { hooks }: CustomerContext,
  tx: Tx,
  { accountId, id }: CardName,
  outcome: Outcome,
): Promise<void> {
  const isClosed = await closeCard(tx, { accountId, id }, outcome)
  if (isClosed) await hooks.hint(tx, { accountId, kind: 'challenge_closed', id })
}

async function lockTold(tx: Tx, told: ToldConnection): Promise<OpenConnection | null> {
  const name = { accountId: told.accountId, id: told.connectionId }
  if ((await lockOwnConnection(tx, name)) === null) return null
  const connection = await findUsableConnection(tx, name)
  return connection !== null && isOfSender(connection, told) ? connection : null
}
