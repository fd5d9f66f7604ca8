import type { AccountClient, CustomerClient } from '@sealpost/sdk'
import { northwind } from '../../personas.ts'
import type { DemoPerson } from './people.ts'

const CODE = `${northwind.shareCode}/${northwind.service.shareCode}`
const FIELDS = [
  { slug: 'name', label: 'Your first name', type: 'text', mandatory: true },
  { slug: 'home', label: 'Where you live', type: 'address' },
]

/** What the service of Northwind asks its patients. */
export async function seedRequestFields(portal: AccountClient): Promise<void> {
  const { request_fields: rows } = await portal.requestFields.read(northwind.serviceId)
  if (rows.length === 0) await portal.requestFields.update(northwind.serviceId, () => FIELDS)
}

/** The person shares her name and, if she has one, her address with the service; answers the id of the connection. */
export async function seedConnection(client: CustomerClient, { firstName, home }: DemoPerson): Promise<string> {
  for await (const { id, services } of client.connections.list()) {
    if (services.some(({ service_id }) => service_id === northwind.serviceId)) return id
  }
  const ids = new Map<string, string>()
  for await (const { slug, id } of client.contactFields.list()) ids.set(slug, id)
  const [name, address] = [ids.get('first_name') ?? '', ids.get('address') ?? '']
  await client.contactData.put(name, firstName)
  if (home !== null) await client.contactData.put(address, home)
  const { id } = await client.connect(CODE, {
    name: { from: name },
    ...(home === null ? {} : { home: { from: address } }),
  })
  return id
}
