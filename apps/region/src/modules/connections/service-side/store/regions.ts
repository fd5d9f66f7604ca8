import type { ServiceId } from '@sealpost/kernel'
import { type Read, runStatement, type Tx } from '@sealpost/postgres'

/** True when these are the first customers of the service in that region. */
export async function addCustomers(
  tx: Tx,
  serviceId: ServiceId,
  region: string,
  { by, rev }: { readonly by: number; readonly rev: number },
): Promise<boolean> {
  const [row] = await runStatement<{ customers: number }>(
    tx,
    `insert into connections_service.customer_region as r (service_id, region, customers, rev) values ($1, $2, $3, $4)
    on conflict (service_id, region) do update set customers = r.customers + $3, rev = greatest(r.rev, $4)
    returning customers`,
    [serviceId, region, by, rev],
  )
  return row?.customers === by
}

/** A region without customers loses its row and gets no more tells. */
export async function removeCustomers(tx: Tx, serviceId: ServiceId, region: string, by: number): Promise<void> {
  const subtract = `update connections_service.customer_region set customers = customers - $3
    where service_id = $1 and region = $2`
  await runStatement(tx, subtract, [serviceId, region, by])
  const sql = 'delete from connections_service.customer_region where service_id = $1 and region = $2 and customers = 0'
  await runStatement(tx, sql, [serviceId, region])
}

/** Sets the revision that reads compare with; returns the regions to tell. */
export async function raiseRevision(tx: Tx, serviceId: ServiceId, rev: number): Promise<readonly string[]> {
  const sql = 'update connections_service.customer_region set rev = $2 where service_id = $1 returning region'
  const rows = await runStatement<{ region: string }>(tx, sql, [serviceId, rev])
  return rows.map(({ region }) => region)
}

export async function listCustomerRegions(read: Read, serviceId: ServiceId): Promise<readonly string[]> {
  const sql = 'select region from connections_service.customer_region where service_id = $1 order by region'
  const rows = await runStatement<{ region: string }>(read, sql, [serviceId])
  return rows.map(({ region }) => region)
}

/** The regions with customers or with a pending connect request. */
export async function listRegions(read: Read, serviceId: ServiceId): Promise<readonly string[]> {
  const rows = await runStatement<{ region: string }>(
    read,
    `select region from connections_service.customer_region where service_id = $1
    union select customer_region from connections_service.connect_request where service_id = $1 and state = 'pending'`,
    [serviceId],
  )
  return rows.map(({ region }) => region)
}

export async function countCustomers(read: Read, serviceId: ServiceId): Promise<number> {
  const sql =
    'select coalesce(sum(customers), 0)::float8 as total from connections_service.customer_region where service_id = $1'
  const [row] = await runStatement<{ total: number }>(read, sql, [serviceId])
  return row?.total ?? 0
}
