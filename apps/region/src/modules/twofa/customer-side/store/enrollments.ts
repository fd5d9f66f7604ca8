import type { ConnectionId, Instant, ServiceId, UserId } from '@sealpost/kernel'
import { type Read, runStatement, type Tx } from '@sealpost/postgres'
import type { Slice } from '../../../../platform/page.ts'
import type { Enrollment, EnrollmentName } from '../model.ts'

const ENROLLMENT = `account_id as "accountId", service_id as "serviceId", connection_id as "connectionId",
  rev::float8 as rev, is_active as "isActive", round(extract(epoch from enrolled_at) * 1000)::float8 as "enrolledAt"`

export async function findEnrollment(read: Read, { accountId, serviceId }: EnrollmentName): Promise<Enrollment | null> {
  const [row] = await runStatement<Enrollment & Record<string, unknown>>(
    read,
    `select ${ENROLLMENT} from twofa_customer.enrollment where account_id = $1 and service_id = $2`,
    [accountId, serviceId],
  )
  return row ?? null
}

/** The number of the next enrolment or revocation; written at once, so that no two have the same. */
export async function takeRev(
  tx: Tx,
  { accountId, serviceId }: EnrollmentName,
  connectionId: ConnectionId,
  now: Instant,
): Promise<number> {
  const [row] = await runStatement<{ rev: number }>(
    tx,
    `insert into twofa_customer.enrollment as e (account_id, service_id, connection_id, rev, is_active)
    values ($1, $2, $3, $4, false)
    on conflict (account_id, service_id) do update set rev = greatest(e.rev + 1, excluded.rev),
      connection_id = excluded.connection_id, is_active = false, enrolled_at = null
    returning rev::float8 as rev`,
    [accountId, serviceId, connectionId, now],
  )
  if (row === undefined) throw new Error(`the enrolment for service ${serviceId} was not written`)
  return row.rev
}

/** False when the enrolment was revoked or replaced since the service's side was asked. */
export async function activate(
  tx: Tx,
  { accountId, serviceId }: EnrollmentName,
  rev: number,
  enrolledAt: Instant,
): Promise<boolean> {
  const rows = await runStatement(
    tx,
    `update twofa_customer.enrollment set is_active = true, enrolled_at = to_timestamp($4 / 1000.0)
    where account_id = $1 and service_id = $2 and rev = $3 returning 1`,
    [accountId, serviceId, rev, enrolledAt],
  )
  return rows.length === 1
}

/** In the order of services. */
export function listActive(
  read: Read,
  accountId: UserId,
  { after, offset, limit }: Slice<ServiceId>,
): Promise<readonly Enrollment[]> {
  return runStatement<Enrollment & Record<string, unknown>>(
    read,
    `select ${ENROLLMENT} from twofa_customer.enrollment
    where account_id = $1 and is_active and ($2::uuid is null or service_id > $2) order by service_id offset $3 limit $4`,
    [accountId, after, offset, limit],
  )
}

export async function deleteEnrollment(tx: Tx, accountId: UserId, connections: readonly ConnectionId[]): Promise<void> {
  const sql = 'delete from twofa_customer.enrollment where account_id = $1 and connection_id = any($2)'
  await runStatement(tx, sql, [accountId, connections])
}

export async function deleteEnrollmentsOf(tx: Tx, accountId: UserId): Promise<void> {
  await runStatement(tx, 'delete from twofa_customer.enrollment where account_id = $1', [accountId])
}
