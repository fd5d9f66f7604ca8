import type { Instant, ServiceId, UserId } from '@sealpost/kernel'
import { type Read, runStatement, type Tx } from '@sealpost/postgres'
import type { ConnectRequest, ConnectRequestId, NewRequest } from '../model.ts'

/** The last request to this person. */
export async function findRequestTo(
  read: Read,
  serviceId: ServiceId,
  customerId: UserId,
): Promise<ConnectRequest | null> {
  const [row] = await runStatement<ConnectRequest & Record<string, unknown>>(
    read,
    `select company_id as "companyId", service_id as "serviceId", id, customer_id as "customerId",
      customer_region as "customerRegion", share_code as "shareCode", state,
      round(extract(epoch from created_at) * 1000)::float8 as "createdAt",
      round(extract(epoch from expires_at) * 1000)::float8 as "expiresAt",
      round(extract(epoch from answered_at) * 1000)::float8 as "answeredAt"
    from connections_service.connect_request where service_id = $1 and customer_id = $2`,
    [serviceId, customerId],
  )
  return row ?? null
}

/** Replaces the last request to the same person; false when that is no longer `last`. */
export async function putRequest(tx: Tx, request: NewRequest, last: ConnectRequestId | null): Promise<boolean> {
  const rows = await runStatement(
    tx,
    `insert into connections_service.connect_request as r (service_id, customer_id, company_id, id, customer_region,
      share_code, state, created_at, expires_at)
    values ($1, $2, $3, $4, $5, $6, 'pending', to_timestamp($7 / 1000.0), to_timestamp($8 / 1000.0))
    on conflict (service_id, customer_id) do update set id = excluded.id, customer_region = excluded.customer_region,
      share_code = excluded.share_code, state = excluded.state, created_at = excluded.created_at,
      expires_at = excluded.expires_at, answered_at = null where r.id = $9
    returning r.id`,
    [
      request.serviceId,
      request.customerId,
      request.companyId,
      request.id,
      request.customerRegion,
      request.shareCode,
      request.createdAt,
      request.expiresAt,
      last,
    ],
  )
  return rows.length === 1
}

/** False when it is no longer pending. */
export async function answerRequest(
  tx: Tx,
  { serviceId, customerId, id }: Pick<ConnectRequest, 'serviceId' | 'customerId' | 'id'>,
  state: 'accepted' | 'rejected' | 'closed',
  at: Instant,
): Promise<boolean> {
  const rows = await runStatement(
    tx,
    `update connections_service.connect_request set state = $4, answered_at = to_timestamp($5 / 1000.0)
    where service_id = $1 and customer_id = $2 and id = $3 and state = 'pending' returning id`,
    [serviceId, customerId, id, state, at],
  )
  return rows.length === 1
}

type DeletedRequest = Pick<ConnectRequest, 'id' | 'customerId' | 'customerRegion' | 'state'>

/** Answered ones too: the service is being deleted. */
export function deleteRequestsOf(tx: Tx, serviceId: ServiceId, limit: number): Promise<readonly DeletedRequest[]> {
  return runStatement<DeletedRequest & Record<string, unknown>>(
    tx,
    `delete from connections_service.connect_request where service_id = $1 and customer_id in (
      select customer_id from connections_service.connect_request where service_id = $1 limit $2)
    returning id, customer_id as "customerId", customer_region as "customerRegion", state`,
    [serviceId, limit],
  )
}

export async function deleteOldRequests(tx: Tx, expiredBefore: Instant, limit: number): Promise<number> {
  const rows = await runStatement(
    tx,
    `delete from connections_service.connect_request where (service_id, customer_id) in (
      select service_id, customer_id from connections_service.connect_request
      where expires_at < to_timestamp($1 / 1000.0) limit $2 for update skip locked)
    returning 1`,
    [expiredBefore, limit],
  )
  return rows.length
}
