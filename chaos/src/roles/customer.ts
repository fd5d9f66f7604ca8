import type { ConnectionId, UserId } from '@sealpost/kernel'
import { systemIds } from '@sealpost/process'
import { type Calls, northwind } from '@sealpost/testkit'
import { importKey, sealTo, SLUG } from '../sharing/shops.ts'
import { createAccount, demand, loginCalls, openOperations, type SiteService } from './services.ts'
import type { RoleSite } from './site.ts'

/** A person who shares one field with every service, so that events about it can be told as they are at delivery. */
export interface Customer {
  readonly userId: UserId
  readonly call: Calls
  /** One that nobody else has. */
  readonly otherFieldId: string
  /** By the service's number. */
  readonly slots: ReadonlyMap<number, Slot>
}

export interface Slot {
  readonly connectionId: ConnectionId
  readonly requestFieldId: string
  readonly slug: string
}

export async function connectCustomer(site: RoleSite, services: readonly SiteService[]): Promise<Customer> {
  const userId = systemIds().uuid<UserId>()
  const operations = await openOperations(site)
  try {
    await createAccount(operations, userId, 'person', 'customer')
  } finally {
    await operations.close()
  }
  const call = await loginCalls(site, userId, 'person')
  const field = await findField(call, 'first_name')
  const own = await importKey(northwind.login.keys.publicKey)
  const value = await sealTo(own, 'before')
  await demand(call('PUT', `/api/contact-data/${field.id}`, { body: { value, is_private: true } }))
  const slots = new Map<number, Slot>()
  for (const service of services) slots.set(service.number, await connect(call, field, service))
  return { userId, call, otherFieldId: (await findField(call, 'last_name')).id, slots }
}

interface Field {
  readonly id: string
  readonly type: string
}

async function connect(call: Calls, field: Field, { data, code, publicKey }: SiteService): Promise<Slot> {
  const requestFieldId = await publishRow(data, field.type)
  const sealing = await importKey(publicKey)
  const value = await sealTo(sealing, 'shared')
  const decision = { request_field_id: requestFieldId, kind: 'linked', source_field_id: field.id, value }
  const made = await demand(call('POST', '/api/company-connections', { body: { code, decisions: [decision] } }))
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the documented answer of the route
  return { connectionId: String(made['id']) as ConnectionId, requestFieldId, slug: SLUG }
}

async function publishRow(data: Calls, type: string): Promise<string> {
  const path = '/api/company-data/request-fields'
  const { config_token } = await demand(data('GET', path))
  const body = { config_token, request_fields: [{ slug: SLUG, label: 'Name', type }] }
  const rows = (await demand(data('PUT', path, { body })))['request_fields']
  const row: unknown = Array.isArray(rows) ? rows[0] : null
  if (typeof row === 'object' && row !== null && 'id' in row) return String(row.id)
  throw new Error('no request row was published')
}

/** A field of the platform, which everybody has. */
async function findField(call: Calls, wanted: string): Promise<Field> {
  const { items } = await demand(call('GET', '/api/contact-fields?limit=500'))
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the documented answer of the route
  const fields = items as readonly (Field & { readonly slug: string })[]
  const found = fields.find(({ slug }) => slug === wanted)
  if (found === undefined) throw new Error(`there is no field ${wanted}`)
  return found
}
