import { randomBytes } from 'node:crypto'
import { type Database, runStatement } from '@sealpost/postgres'
import { listOf } from '@sealpost/testkit'
import { requireOk } from '../calls.ts'
import { findField } from '../request-row.ts'
import type { SiteService } from '../roles/services.ts'
import type { Neighbour } from './plan.ts'

export interface Customers {
  readonly connections: number
  readonly rows: number
  readonly characters: number
}

/** Adds connections past the routes, with values of that size; answers the id of the first one. */
export async function addCustomers(
  database: Database,
  { data, serviceId, companyId, publicKey }: SiteService,
  { connections, rows, characters }: Customers,
): Promise<string> {
  const path = '/api/company-data/request-fields'
  const { config_token } = await requireOk(data('GET', path))
  const request_fields = Array.from({ length: rows }, (_, row) => ({ slug: `r${row}`, label: `R${row}`, type: 'text' }))
  const published = await requireOk(data('PUT', path, { body: { config_token, request_fields } }))
  const fields = listOf(published['request_fields']).map(({ id }) => String(id))
  return database.transaction(async (tx) => {
    const made = await runStatement<{ id: string }>(
      tx,
      `insert into connections_service.connection (service_id, id, company_id, customer_id, customer_region, customer_type,
        share_code, display_name, public_key, connected_at)
      select $1, ('019b0000-0000-7000-8000-' || lpad(to_hex(at), 12, '0'))::uuid, $2, gen_random_uuid(), 'eu', 'person', 'C' || lpad(at::text, 7, '0'), 'A customer', $4, now()
      from generate_series(1, $3::int) as at returning id`,
      [serviceId, companyId, connections, publicKey],
    )
    const ids = made.map(({ id }) => id)
    await runStatement(
      tx,
      `insert into connections_service.slot (service_id, connection_id, request_field_id, state, rev, live, is_private, value,
        updated_at, provided_at)
      select $1, connection_id, field, 'answered', 1, true, true, $4, now(), now()
      from unnest($2::uuid[]) as connection_id, unnest($3::uuid[]) as field`,
      [serviceId, ids, fields, wrapperOf(characters)],
    )
    await runStatement(
      tx,
      `insert into connections_service.customer_region (service_id, region, customers, rev) values ($1, 'eu', $2, 0)`,
      [serviceId, connections],
    )
    return ids[0] ?? ''
  })
}

/** Of the shape of sealed text; nothing opens it. */
function wrapperOf(characters: number): string {
  const [k, iv] = [randomBytes(256).toString('base64'), randomBytes(12).toString('base64')]
  return JSON.stringify({ _enc: 1, k, iv, d: randomBytes(Math.floor((characters * 3) / 4)).toString('base64') })
}

export async function openNeighbour(database: Database, service: SiteService): Promise<Neighbour> {
  const connectionId = await addCustomers(database, service, { connections: 3, rows: 3, characters: 400 })
  return { dataToken: service.dataToken, portalToken: service.portalToken, connectionId }
}

/** Stores a file of the company and answers the id of its field. */
export async function storeFile({ portal }: SiteService, bytes: number): Promise<string> {
  const { id } = await findField(portal, 'company_registration')
  const pdf = Buffer.concat([Buffer.from('%PDF-1.7 '), Buffer.alloc(bytes, 'x')])
  const file = `data:application/pdf;base64,${pdf.toString('base64')}`
  const value = JSON.stringify({ file, original_name: 'a.pdf', mime_type: 'application/pdf', size: pdf.length })
  await requireOk(portal('PUT', `/api/contact-data/${id}`, { body: { value } }))
  return id
}
