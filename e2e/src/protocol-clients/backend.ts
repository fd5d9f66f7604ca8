import type { Company, World } from '@sealpost/testkit'
import { newKey, type OwnKey } from './crypto.ts'
import { type Access, call, type ClientCredentials, credentialsOf, enter, listOf, must } from './http.ts'

export interface RequestField {
  readonly slug: string
  readonly type: string
  readonly [more: string]: unknown
}

/** A service that was set up over the wire by an account client, and the backend that reads its data. */
export interface Backend {
  readonly company: Company
  /** The portal login of the company. */
  readonly portal: Access
  /** The account client. */
  readonly automation: Access
  readonly client: ClientCredentials
  readonly data: Access
  readonly serviceId: string
  /** `COMPANYCODE/SERVICECODE`. */
  readonly code: string
  readonly key: OwnKey
  /** The id of a request field. */
  fieldId(slug: string): string
}

const CAPABILITIES = ['service_management', 'company_profile_fields', 'oauth_apps', 'delegate_management']

export async function openBackend(world: World, fields: readonly RequestField[]): Promise<Backend> {
  const company = await world.company()
  const front = world.frontDoor.url
  const portal = { url: company.apiUrl, token: company.token }
  const registration = { name: 'Automation', capabilities: CAPABILITIES }
  const registered = await must(201, call(portal, 'POST', '/api/account/clients', { body: registration }))
  const automation = await enter(front, credentialsOf(registered))
  const key = newKey()
  const service = { name: 'Orders', admin_email: 'it@orders.example', share_code: 'ORDERS', ...key.members }
  const { id } = await must(201, call(automation, 'POST', '/api/services', { body: service }))
  const path = `/api/services/${String(id)}`
  const { config_token } = await must(200, call(automation, 'GET', `${path}/request-fields`))
  const request_fields = fields.map((field) => ({ label: field.slug, ...field }))
  const publication = { config_token, request_fields }
  const published = await must(200, call(automation, 'PUT', `${path}/request-fields`, { body: publication }))
  const rows = new Map(listOf(published['request_fields']).map((row) => [String(row['slug']), String(row['id'])]))
  const client = credentialsOf(await must(201, call(automation, 'POST', `${path}/client`, { body: {} })))
  return {
    company,
    portal,
    automation,
    client,
    data: await enter(front, client),
    serviceId: String(id),
    code: `${company.shareCode}/ORDERS`,
    key,
    fieldId: (slug) => rows.get(slug) ?? '',
  }
}
