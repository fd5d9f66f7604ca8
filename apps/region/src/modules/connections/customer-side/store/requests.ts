import type { Instant, UserId } from '@sealpost/kernel'
import { type Read, runStatement, type Tx } from '@sealpost/postgres'
import type { Slice } from '../../../../platform/page.ts'
import type { ConnectRequest, ServiceAddress } from '../model.ts'

const REQUEST = `account_id as "accountId", id, company_id as "companyId", company_region as "companyRegion",
  service_id as "serviceId", company_name as "companyName", company_code as "companyCode",
  service_name as "serviceName", service_code as "serviceCode", message,
  round(extract(epoch from created_at) * 1000)::float8 as "createdAt",
  round(extract(epoch from expires_at) * 1000)::float8 as "expiresAt"`

/** False when it is known already. */
export async function insertRequest(tx: Tx, request: ConnectRequest): Promise<boolean> {
  const rows = await runStatement(
    tx,
    `insert into connections_customer.connect_request (account_id, id, company_id, company_region, service_id,
      company_name, company_code, service_name, service_code, message, created_at, expires_at)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, to_timestamp($11 / 1000.0), to_timestamp($12 / 1000.0))
    on conflict (account_id, id) do nothing returning id`,
    [
      request.accountId,
      request.id,
      request.companyId,
      request.companyRegion,
      request.serviceId,
      request.companyName,
      request.companyCode,
      request.serviceName,
      request.serviceCode,
      request.message,
      request.createdAt,
      request.expiresAt,
    ],
  )
  return rows.length === 1
}

/** Null also when it has lapsed. */
export async function findRequest(
  read: Read,
  accountId: UserId,
  id: string,
  now: Instant,
): Promise<ConnectRequest | null> {
  const [row] = await runStatement<ConnectRequest>(
    read,
    `select ${REQUEST} from connections_customer.connect_request
    where account_id = $1 and id = $2 and expires_at > to_timestamp($3 / 1000.0)`,
    [accountId, id, now],
  )
  return row ?? null
}

export function listRequests(
  read: Read,
  accountId: UserId,
  { after, offset, limit, now }: Slice & { readonly now: Instant },
): Promise<readonly ConnectRequest[]> {
  return runStatement<ConnectRequest>(
    read,
    `select ${REQUEST} from connections_customer.connect_request
    where account_id = $1 and expires_at > to_timestamp($2 / 1000.0) and ($3::uuid is null or id > $3)
    order by id offset $4 limit $5`,
    [accountId, now, after, offset, limit],
  )
}

/** False when there is no such request. `companyRegion`: the region it must belong to if that region withdraws it. */
export async function deleteRequest(
  tx: Tx,
  accountId: UserId,
  id: string,
  companyRegion: string | null = null,
): Promise<boolean> {
  const rows = await runStatement(
    tx,
    `delete from connections_customer.connect_request
    where account_id = $1 and id = $2 and ($3::text is null or company_region = $3) returning id`,
    [accountId, id, companyRegion],
  )
  return rows.length === 1
}

export async function deleteRequestsOf(tx: Tx, accountId: UserId): Promise<void> {
  await runStatement(tx, 'delete from connections_customer.connect_request where account_id = $1', [accountId])
}

export async function deleteRequestsOfService(
  tx: Tx,
  { serviceId, companyRegion }: Pick<ServiceAddress, 'serviceId' | 'companyRegion'>,
): Promise<void> {
  const sql = 'delete from connections_customer.connect_request where service_id = $1 and company_region = $2'
  await runStatement(tx, sql, [serviceId, companyRegion])
}

export async function deleteLapsedRequests(tx: Tx, now: Instant, limit: number): Promise<number> {
  const rows = await runStatement(
    tx,
    `delete from connections_customer.connect_request where (account_id, id) in (
      select account_id, id from connections_customer.connect_request
      where expires_at <= to_timestamp($1 / 1000.0) limit $2 for update skip locked)
    returning id`,
    [now, limit],
  )
  return rows.length
}
