import type { Calls } from '@sealpost/testkit'
import { requireOk } from './calls.ts'

/** The slug of the one request row that a service publishes. */
export const SLUG = 'name'

/** Publishes a request row of the given field type and returns its id. */
export async function publishRequestRow(data: Calls, type: string): Promise<string> {
  const path = '/api/company-data/request-fields'
  const { config_token } = await requireOk(data('GET', path))
  const body = { config_token, request_fields: [{ slug: SLUG, label: 'Name', type }] }
  const rows = (await requireOk(data('PUT', path, { body })))['request_fields']
  const row: unknown = Array.isArray(rows) ? rows[0] : null
  if (typeof row === 'object' && row !== null && 'id' in row) return String(row.id)
  throw new Error('no request row was published')
}

export interface Field {
  readonly id: string
  readonly type: string
}

/** A contact field of the platform, which every account has. */
export async function findField(call: Calls, wanted: string): Promise<Field> {
  const { items } = await requireOk(call('GET', '/api/contact-fields?limit=500'))
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the documented answer of the route
  const fields = items as readonly (Field & { readonly slug: string })[]
  const found = fields.find(({ slug }) => slug === wanted)
  if (found === undefined) throw new Error(`no contact field ${wanted}`)
  return found
}
