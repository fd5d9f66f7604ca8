import { createHash } from 'node:crypto'
import { bodyOf, type Calls, sealTo, type Service } from '@sealpost/testkit'

export const DOCUMENTS = '/api/company-data/documents'

/** A recipient whose public key the test knows. */
export interface Reader {
  readonly user: { readonly keys: { readonly publicKey: string } }
  readonly calls: Calls
}

export const CONTRACT = {
  name: 'Supply agreement',
  kind: 'agreement',
  payload_kind: 'json',
  requires_signature: true,
} as const

/** The text that the recipient opens. */
export const TERMS = JSON.stringify({ title: 'Terms', sections: [{ text: 'Delivery on Mondays' }] })

export type Body = Readonly<Record<string, unknown>>

/** Creates a document for one customer, with sealed JSON unless the members say otherwise. */
export async function sendTo(
  service: Pick<Service, 'data'>,
  reader: Reader,
  connectionId: string,
  members: Body = {},
): Promise<Body & { readonly id: string }> {
  const isFile = members['payload_kind'] === 'file'
  const value = isFile ? {} : { value: await sealTo(reader.user.keys.publicKey, TERMS) }
  const body = { ...CONTRACT, target: { connection_id: connectionId }, ...value, ...members }
  const created = await bodyOf(service.data('POST', DOCUMENTS, { body }), 201)
  return { ...created, id: String(created['id']) }
}

export function sha256(text: string | Uint8Array): string {
  return createHash('sha256').update(text).digest('hex')
}

/** The path of a document at its customer's region. */
export function copyPath(connectionId: string, documentId: string): string {
  return `/api/company-connections/${connectionId}/documents/${documentId}`
}
