import type { ConnectionId, UserId } from '@sealpost/kernel'
import { systemIds } from '@sealpost/process'
import type { Calls } from '@sealpost/testkit'
import { createAccount, loginCalls, openOperations, sealToSelf } from '../accounts.ts'
import { requireOk } from '../calls.ts'
import { type Field, findField, publishRequestRow, SLUG } from '../request-row.ts'
import { importKey, sealTo } from '../sealing.ts'
import type { SiteService } from './services.ts'
import type { RoleSite } from './site.ts'

/** A person who shares one field with every service: events about it are rendered at delivery. */
export interface Customer {
  readonly userId: UserId
  readonly call: Calls
  /** A field that is not shared. */
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
  const operations = await openOperations(site, 'eu')
  try {
    await createAccount(operations, { id: userId, userType: 'person', name: 'customer' })
  } finally {
    await operations.close()
  }
  const call = await loginCalls(site, site.api.url, { userId, userType: 'person', region: 'eu' })
  const field = await findField(call, 'first_name')
  const value = await sealToSelf('before')
  await requireOk(call('PUT', `/api/contact-data/${field.id}`, { body: { value, is_private: true } }))
  const slots = new Map<number, Slot>()
  for (const service of services) slots.set(service.number, await connect(call, field, service))
  return { userId, call, otherFieldId: (await findField(call, 'last_name')).id, slots }
}

async function connect(call: Calls, field: Field, { data, code, publicKey }: SiteService): Promise<Slot> {
  const requestFieldId = await publishRequestRow(data, field.type)
  const value = await sealTo(await importKey(publicKey), 'shared')
  const decision = { request_field_id: requestFieldId, kind: 'linked', source_field_id: field.id, value }
  const made = await requireOk(call('POST', '/api/company-connections', { body: { code, decisions: [decision] } }))
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the documented answer of the route
  return { connectionId: String(made['id']) as ConnectionId, requestFieldId, slug: SLUG }
}
