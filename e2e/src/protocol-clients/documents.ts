import { templatePdf } from '@sealpost/pdf-format/testing'
import { addDevice, type World } from '@sealpost/testkit'
import { expect } from 'vitest'
import { openBackend } from './backend.ts'
import { seal, sha256 } from './crypto.ts'
import { listOf, type Members, type Reply } from './http.ts'
import { connectCompany, connectPerson } from './parties.ts'
import { send } from './raw-request.ts'

export const DOCUMENTS = '/api/company-data/documents'
export const PDF = templatePdf({ contents: ['BT /F1 12 Tf 50 700 Td (Terms) Tj ET'] })
export const PDF_URI = `data:application/pdf;base64,${Buffer.from(PDF).toString('base64')}`

/** A service with a person and a company as customers, and the calls of its documents. */
export async function openDocuments(world: World) {
  const backend = await openBackend(world, [])
  const { data } = backend
  const account = await world.person({ displayName: 'Mara Lindt' })
  const phone = await addDevice(account)
  const person = await connectPerson(backend, account)
  const company = await connectCompany(world, backend)

  const post = (path: string, body: string): Promise<Reply> =>
    send(data, `POST ${path}\nContent-Type: application/json\nAccept: application/json\n\n${body}`)

  /** Creates a document for the person and answers its record. */
  async function create(members: string): Promise<Members & { readonly id: string }> {
    const reply = await post(DOCUMENTS, `{"target": {"connection_id": "${person.connectionId}"}, ${members}}`)
    expect([reply.status, reply.body['error']]).toEqual([201, undefined])
    return { ...reply.body, id: String(reply.body['id']) }
  }

  const read = async (id: string): Promise<Members> => (await send(data, `GET ${DOCUMENTS}/${id}`)).body
  const ownPath = (id: string): string => `/api/company-connections/${person.connectionId}/documents/${id}`

  /** The person's copy, once it has arrived. */
  async function arrived(id: string): Promise<Members> {
    await expect.poll(async () => (await send(person.access, `GET ${ownPath(id)}`)).status).toBe(200)
    return (await send(person.access, `GET ${ownPath(id)}`)).body
  }

  async function eventsOf(id: string): Promise<readonly Members[]> {
    const { body } = await send(data, 'GET /api/company-data/changes')
    return listOf(body['changes']).filter(({ document_id }) => document_id === id)
  }

  /** A PDF for the person, with `terms`. Its digest comes with the document or, later, with the file. */
  async function offerPdf(terms: string, digestComes: 'early' | 'late' = 'early') {
    const digest = `"plain_sha256": "${sha256(PDF)}"`
    const [early, late] = digestComes === 'early' ? [`, ${digest}`, ''] : ['', `, ${digest}`]
    const { id } = await create(`"name": "Terms", "payload_kind": "file", ${terms}${early}`)
    const value = seal(person.publicKey, JSON.stringify({ file: PDF_URI, original_name: 'terms.pdf' }))
    const upload = `{"value": ${JSON.stringify(value)}${late}}`
    return { id, value, upload: () => post(`${DOCUMENTS}/${id}/file`, upload) }
  }

  return { data, phone, person, company, post, create, read, ownPath, arrived, eventsOf, offerPdf }
}
