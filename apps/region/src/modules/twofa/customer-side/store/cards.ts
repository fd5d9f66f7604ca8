import type { ConnectionId, Instant, ServiceId, UserId } from '@sealpost/kernel'
import { type Read, runStatement, type Tx } from '@sealpost/postgres'
import type { ChallengeOutcome } from '@sealpost/protocol'
import type { Slice } from '../../../../platform/page.ts'
import type { ChallengeId, Outcome } from '../../model.ts'
import type { Card, CardName } from '../model.ts'

interface Row extends Omit<Card, 'outcome'> {
  readonly status: ChallengeOutcome | null
  readonly completedAt: Instant | null
}

const CARD = `account_id as "accountId", id, connection_id as "connectionId", context, has_digits as "hasDigits",
  round(extract(epoch from created_at) * 1000)::float8 as "createdAt",
  round(extract(epoch from expires_at) * 1000)::float8 as "expiresAt", status,
  round(extract(epoch from completed_at) * 1000)::float8 as "completedAt"`

/** False when it is stored already, and when the person is not enrolled at the service. */
export async function insertCard(tx: Tx, serviceId: ServiceId, card: Omit<Card, 'outcome'>): Promise<boolean> {
  const { accountId, id, connectionId, context, hasDigits, createdAt, expiresAt } = card
  const rows = await runStatement(
    tx,
    `insert into twofa_customer.card (account_id, id, connection_id, context, has_digits, created_at, expires_at)
    select $1, $2, $3, $4, $5, to_timestamp($6 / 1000.0), to_timestamp($7 / 1000.0)
    where exists (select from twofa_customer.enrollment where account_id = $1 and service_id = $8 and is_active)
    on conflict do nothing returning 1`,
    [accountId, id, connectionId, context, hasDigits, createdAt, expiresAt, serviceId],
  )
  return rows.length === 1
}

/** Null for another account's card. */
export async function findCard(read: Read, { accountId, id }: CardName): Promise<Card | null> {
  const [row] = await runStatement<Row & Record<string, unknown>>(
    read,
    `select ${CARD} from twofa_customer.card where account_id = $1 and id = $2`,
    [accountId, id],
  )
  return row === undefined ? null : readRow(row)
}

/** Those that wait for an answer, in the order of ids. */
export async function listOpen(
  read: Read,
  accountId: UserId,
  { after, offset, limit }: Slice<ChallengeId>,
  now: Instant,
): Promise<readonly Card[]> {
  const rows = await runStatement<Row & Record<string, unknown>>(
    read,
    `select ${CARD} from twofa_customer.card
    where account_id = $1 and status is null and expires_at > to_timestamp($2 / 1000.0) and ($3::uuid is null or id > $3)
    order by id offset $4 limit $5`,
    [accountId, now, after, offset, limit],
  )
  return rows.map(readRow)
}

/** False when the card is gone or has an outcome, which is final. */
export async function closeCard(tx: Tx, { accountId, id }: CardName, outcome: Outcome): Promise<boolean> {
  const rows = await runStatement(
    tx,
    `update twofa_customer.card set status = $3, completed_at = to_timestamp($4 / 1000.0)
    where account_id = $1 and id = $2 and status is null returning 1`,
    [accountId, id, outcome.status, outcome.completedAt],
  )
  return rows.length === 1
}

/** Answers the open ones among them. */
export async function deleteCards(
  tx: Tx,
  accountId: UserId,
  connections: readonly ConnectionId[],
): Promise<readonly ChallengeId[]> {
  const rows = await runStatement<{ id: ChallengeId; isOpen: boolean }>(
    tx,
    `delete from twofa_customer.card where account_id = $1 and connection_id = any($2)
    returning id, status is null as "isOpen"`,
    [accountId, connections],
  )
  return rows.filter(({ isOpen }) => isOpen).map(({ id }) => id)
}

export async function deleteCardsOf(tx: Tx, accountId: UserId): Promise<void> {
  await runStatement(tx, 'delete from twofa_customer.card where account_id = $1', [accountId])
}

/** Of all tenants: upkeep. */
export async function deleteOldCards(tx: Tx, before: Instant, limit: number): Promise<number> {
  const rows = await runStatement(
    tx,
    `delete from twofa_customer.card where (account_id, id) in (
      select account_id, id from twofa_customer.card where expires_at < to_timestamp($1 / 1000.0)
      order by expires_at limit $2 for update skip locked) returning 1`,
    [before, limit],
  )
  return rows.length
}

function readRow({ status, completedAt, ...row }: Row): Card {
  return { ...row, outcome: status === null || completedAt === null ? null : { status, completedAt } }
}
