import type { ConnectionId, Instant, ServiceId } from '@sealpost/kernel'
import { type Read, runStatement, type Tx } from '@sealpost/postgres'
import type { Enrollment, PairName } from '../model.ts'

const ENROLLMENT = `service_id as "serviceId", customer_id as "customerId", company_id as "companyId",
  connection_id as "connectionId", share_code as "shareCode", rev::float8 as rev, is_active as "isActive",
  round(extract(epoch from enrolled_at) * 1000)::float8 as "enrolledAt",
  round(extract(epoch from muted_until) * 1000)::float8 as "mutedUntil"`

/** Of the service $1 and the share code $2, at the time $3. */
export const CHALLENGEABLE = `e.service_id = $1 and e.share_code = $2 and e.is_active
  and (e.muted_until is null or e.muted_until <= to_timestamp($3 / 1000.0))`

export async function findEnrollment(read: Read, { serviceId, customerId }: PairName): Promise<Enrollment | null> {
  const [row] = await runStatement<Enrollment & Record<string, unknown>>(
    read,
    `select ${ENROLLMENT} from twofa_service.enrollment where service_id = $1 and customer_id = $2`,
    [serviceId, customerId],
  )
  return row ?? null
}

/** Null for an unknown code, one that is not enrolled, and a person who muted the service. */
export async function findChallengeable(
  read: Read,
  serviceId: ServiceId,
  shareCode: string,
  now: Instant,
): Promise<Enrollment | null> {
  const [row] = await runStatement<Enrollment & Record<string, unknown>>(
    read,
    `select ${ENROLLMENT} from twofa_service.enrollment e where ${CHALLENGEABLE}`,
    [serviceId, shareCode, now],
  )
  return row ?? null
}

/** Requires the lock of the connection. A new enrolment is not muted by an old report. */
export async function putEnrollment(tx: Tx, enrollment: Omit<Enrollment, 'mutedUntil'>): Promise<void> {
  await runStatement(
    tx,
    `insert into twofa_service.enrollment (service_id, customer_id, company_id, connection_id, share_code, rev, is_active,
      enrolled_at)
    values ($1, $2, $3, $4, $5, $6, $7, to_timestamp($8 / 1000.0))
    on conflict (service_id, customer_id) do update set connection_id = excluded.connection_id, rev = excluded.rev,
      is_active = excluded.is_active, enrolled_at = excluded.enrolled_at, muted_until = null`,
    [
      enrollment.serviceId,
      enrollment.customerId,
      enrollment.companyId,
      enrollment.connectionId,
      enrollment.shareCode,
      enrollment.rev,
      enrollment.isActive,
      enrollment.enrolledAt,
    ],
  )
}

export async function muteEnrollment(tx: Tx, { serviceId, customerId }: PairName, until: Instant): Promise<void> {
  await runStatement(
    tx,
    `update twofa_service.enrollment set muted_until = to_timestamp($3 / 1000.0)
    where service_id = $1 and customer_id = $2`,
    [serviceId, customerId, until],
  )
}

export async function deleteEnrollment(tx: Tx, serviceId: ServiceId, connectionId: ConnectionId): Promise<void> {
  await runStatement(tx, 'delete from twofa_service.enrollment where service_id = $1 and connection_id = $2', [
    serviceId,
    connectionId,
  ])
}

export async function deleteEnrollmentsOf(tx: Tx, serviceId: ServiceId): Promise<void> {
  await runStatement(tx, 'delete from twofa_service.enrollment where service_id = $1', [serviceId])
}
