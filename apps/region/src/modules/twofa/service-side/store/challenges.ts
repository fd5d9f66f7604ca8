import type { ConnectionId, Instant, ServiceId } from '@sealpost/kernel'
import { type Read, runStatement, type Tx } from '@sealpost/postgres'
import type { ChallengeOutcome } from '@sealpost/protocol'
import type { Outcome } from '../../model.ts'
import type { Challenge, ChallengeName, NewChallenge, PairName } from '../model.ts'
import { CHALLENGEABLE } from './enrollments.ts'

interface Row extends NewChallenge {
  readonly wrongDigits: number
  readonly status: ChallengeOutcome | null
  readonly completedAt: Instant | null
  readonly consumedAt: Instant | null
}

const CHALLENGE = `service_id as "serviceId", id, company_id as "companyId", customer_id as "customerId",
  connection_id as "connectionId", share_code as "shareCode", has_digits as "hasDigits", wrong_digits as "wrongDigits",
  round(extract(epoch from created_at) * 1000)::float8 as "createdAt",
  round(extract(epoch from expires_at) * 1000)::float8 as "expiresAt", status,
  round(extract(epoch from completed_at) * 1000)::float8 as "completedAt",
  round(extract(epoch from consumed_at) * 1000)::float8 as "consumedAt"`
const FIND = `select ${CHALLENGE} from twofa_service.challenge where service_id = $1 and id = $2`

/** False when it is stored already. */
export async function insertChallenge(tx: Tx, challenge: NewChallenge): Promise<boolean> {
  const rows = await runStatement(
    tx,
    `insert into twofa_service.challenge (service_id, id, company_id, customer_id, connection_id, share_code, has_digits,
      created_at, expires_at)
    values ($1, $2, $3, $4, $5, $6, $7, to_timestamp($8 / 1000.0), to_timestamp($9 / 1000.0))
    on conflict do nothing returning 1`,
    [
      challenge.serviceId,
      challenge.id,
      challenge.companyId,
      challenge.customerId,
      challenge.connectionId,
      challenge.shareCode,
      challenge.hasDigits,
      challenge.createdAt,
      challenge.expiresAt,
    ],
  )
  return rows.length === 1
}

/** Null for an unknown challenge and for one of another service. */
export async function findChallenge(read: Read, { serviceId, id }: ChallengeName): Promise<Challenge | null> {
  const [row] = await runStatement<Row & Record<string, unknown>>(read, FIND, [serviceId, id])
  return row === undefined ? null : readRow(row)
}

/** FOR UPDATE: the outcome and its consumption have one writer. */
export async function lockChallenge(tx: Tx, { serviceId, id }: ChallengeName): Promise<Challenge | null> {
  const [row] = await runStatement<Row & Record<string, unknown>>(tx, `${FIND} for update`, [serviceId, id])
  return row === undefined ? null : readRow(row)
}

/** Requires the lock of the connection, which every raise has. Null when the person can't be challenged. */
export async function countPending(
  tx: Tx,
  serviceId: ServiceId,
  shareCode: string,
  now: Instant,
): Promise<number | null> {
  const [row] = await runStatement<{ pending: number }>(
    tx,
    `select (select count(*)::integer from twofa_service.challenge c
      where c.service_id = e.service_id and c.customer_id = e.customer_id and c.status is null
        and c.expires_at > to_timestamp($3 / 1000.0)) as pending
    from twofa_service.enrollment e where ${CHALLENGEABLE}`,
    [serviceId, shareCode, now],
  )
  return row?.pending ?? null
}

/** Those that have not expired, in the order of ids. */
export async function lockPending(
  tx: Tx,
  { serviceId, customerId }: PairName,
  now: Instant,
): Promise<readonly Challenge[]> {
  const rows = await runStatement<Row & Record<string, unknown>>(
    tx,
    `select ${CHALLENGE} from twofa_service.challenge
    where service_id = $1 and customer_id = $2 and status is null and expires_at > to_timestamp($3 / 1000.0)
    order by id for update`,
    [serviceId, customerId, now],
  )
  return rows.map(readRow)
}

/** Requires the lock of the challenge, which has no outcome. */
export async function putOutcome(tx: Tx, { serviceId, id }: ChallengeName, outcome: Outcome): Promise<void> {
  const rows = await runStatement(
    tx,
    `update twofa_service.challenge set status = $3, completed_at = to_timestamp($4 / 1000.0)
    where service_id = $1 and id = $2 and status is null returning 1`,
    [serviceId, id, outcome.status, outcome.completedAt],
  )
  if (rows.length !== 1) throw new Error(`challenge ${id} has an outcome already`)
}

export async function addWrongDigits(tx: Tx, { serviceId, id }: ChallengeName): Promise<void> {
  const sql = 'update twofa_service.challenge set wrong_digits = wrong_digits + 1 where service_id = $1 and id = $2'
  await runStatement(tx, sql, [serviceId, id])
}

/** FOR UPDATE, with whether the person is still enrolled. */
export async function lockToAnswer(
  tx: Tx,
  { serviceId, id }: ChallengeName,
): Promise<(Challenge & { readonly isEnrolled: boolean }) | null> {
  const [row] = await runStatement<Row & { isEnrolled: boolean } & Record<string, unknown>>(
    tx,
    `select ${CHALLENGE}, exists (select from twofa_service.enrollment e where e.service_id = c.service_id
      and e.customer_id = c.customer_id and e.is_active) as "isEnrolled"
    from twofa_service.challenge c where service_id = $1 and id = $2 for update`,
    [serviceId, id],
  )
  return row === undefined ? null : { ...readRow(row), isEnrolled: row.isEnrolled }
}

/** Requires a stored outcome, which never changes. False when it is consumed already. */
export async function markConsumed(tx: Tx, { serviceId, id }: ChallengeName, at: Instant): Promise<boolean> {
  const rows = await runStatement(
    tx,
    `update twofa_service.challenge set consumed_at = to_timestamp($3 / 1000.0)
    where service_id = $1 and id = $2 and consumed_at is null returning 1`,
    [serviceId, id, at],
  )
  return rows.length === 1
}

/** The customer is erased: the share code goes, too. */
export async function forgetShareCode(tx: Tx, serviceId: ServiceId, connectionId: ConnectionId): Promise<void> {
  await runStatement(
    tx,
    'update twofa_service.challenge set share_code = null where service_id = $1 and connection_id = $2',
    [serviceId, connectionId],
  )
}

export async function deleteChallengesOf(tx: Tx, serviceId: ServiceId): Promise<void> {
  await runStatement(tx, 'delete from twofa_service.challenge where service_id = $1', [serviceId])
}

/** Of all tenants: upkeep. */
export async function deleteOldChallenges(tx: Tx, before: Instant, limit: number): Promise<number> {
  const rows = await runStatement(
    tx,
    `delete from twofa_service.challenge where (service_id, id) in (
      select service_id, id from twofa_service.challenge where expires_at < to_timestamp($1 / 1000.0)
      order by expires_at limit $2 for update skip locked) returning 1`,
    [before, limit],
  )
  return rows.length
}

function readRow({ status, completedAt, ...row }: Row): Challenge {
  return { ...row, outcome: status === null || completedAt === null ? null : { status, completedAt } }
}
