import { openWorld } from '@sealpost/testkit'
import { describe, expect, test } from 'vitest'
import { seal, sha256 } from './crypto.ts'
import { DOCUMENTS, openDocuments, PDF, PDF_URI } from './documents.ts'
import { listOf, membersOf, refusalOf } from './http.ts'
import { send } from './raw-request.ts'

const world = await openWorld()
const { data, person, company, post, create, read, ownPath, arrived } = await openDocuments(world)
const sealed = JSON.stringify(seal(person.publicKey, '{"title": "Terms"}'))
await create(`"name": "Offer", "payload_kind": "json", "requires_acceptance": true, "value": ${sealed}`)
await create(`"name": "Plan", "payload_kind": "json", "kind": "subscription", "value": ${sealed}`)
const forCompany = JSON.stringify(seal(company.publicKey, '{"title": "Terms"}'))
const target = `"target": {"person_user_id": "${company.userId}"}`
await post(DOCUMENTS, `{"name": "Supply", "payload_kind": "json", ${target}, "value": ${forCompany}}`)

describe('a broadcast', () => {
  test('is JSON in the clear for every customer, and ends for them with its status', async () => {
    const made = await post(DOCUMENTS, '{"name": "Notice", "payload_kind": "json", "value": {"title": "Closed"}}')
    const { id, ...record } = made.body
    expect(record).toMatchObject({ status: 'active', value: { title: 'Closed' }, connection_id: null })
    const asXml = await send(data, `GET ${DOCUMENTS}/${String(id)}\nAccept: application/xml`)
    expect(membersOf(asXml.xml())).toMatchObject({
      id,
      status: 'active',
      value: { title: 'Closed' },
      connection_id: '',
    })
    for (const { access, connectionId } of [person, company]) {
      const path = `/api/company-connections/${connectionId}/documents/${String(id)}`
      const value = async () => (await send(access, `GET ${path}`)).body['value']
      await expect.poll(value).toEqual({ title: 'Closed' })
    }
    const ended = `PUT ${DOCUMENTS}/${String(id)}\nContent-Type: application/json\n\n{"status": "ended"}`
    expect(await send(data, ended)).toMatchObject({ status: 200, body: { status: 'ended' } })
    await expect.poll(async () => (await send(person.access, `GET ${ownPath(String(id))}`)).status).toBe(404)
  })

  test('is a file, which both sides read as it is', async () => {
    const made = await post(DOCUMENTS, '{"name": "Prices", "payload_kind": "file", "target": null}')
    const id = String(made.body['id'])
    const stored = await post(`${DOCUMENTS}/${id}/file`, `{"file": "${PDF_URI}", "original_name": "prices.pdf"}`)
    expect(stored).toMatchObject({ status: 200, body: { id } })
    expect((await read(id))['value']).toMatchObject({ original_name: 'prices.pdf', mime_type: 'application/pdf' })
    const raw = await send(data, `GET ${DOCUMENTS}/${id}/file`)
    expect([raw.headers.get('content-type'), sha256(raw.bytes)]).toEqual(['application/pdf', sha256(PDF)])
    expect(raw.headers.get('x-platform-content-sha256')).toBe(sha256(PDF))
    await arrived(id)
    const { body } = await send(person.access, `GET ${ownPath(id)}/file`)
    expect([body['encrypted'], membersOf(JSON.parse(String(body['value'])))['file']]).toEqual([false, PDF_URI])
    const bad = await post(DOCUMENTS, '{"name": "Page", "payload_kind": "file"}')
    const page = '{"file": "data:text/html;base64,PGI+", "original_name": "page.html"}'
    const refused = await post(`${DOCUMENTS}/${String(bad.body['id'])}/file`, page)
    expect(refusalOf(refused)).toEqual([400, 'documents.bad_mime'])
  })
})

test('lists are pages with a total, filtered by the members of a document', async () => {
  const all = await send(data, `GET ${DOCUMENTS}?limit=500`)
  const items = listOf(all.body['items'])
  expect(all.body).toMatchObject({ total: items.length, next_cursor: null })
  for (const filter of [
    `connection_id=${person.connectionId}`,
    `person_user_id=${company.userId}`,
    'status=offering',
    'kind=subscription',
  ]) {
    const [name = '', value] = filter.split('=')
    const { body } = await send(data, `GET ${DOCUMENTS}?limit=500&${filter}`)
    const wanted = items.filter((item) => item[name] === value).map(({ id }) => id)
    expect([filter, wanted.length > 0, listOf(body['items']).map(({ id }) => id)]).toEqual([filter, true, wanted])
  }
  const [first] = items
  const page = await send(data, `GET ${DOCUMENTS}?limit=1`)
  expect(listOf(page.body['items'])).toMatchObject([{ id: first?.['id'] }])
  const cursor = encodeURIComponent(String(page.body['next_cursor']))
  const next = await send(data, `GET ${DOCUMENTS}?limit=1&cursor=${cursor}`)
  expect(listOf(next.body['items'])).toMatchObject([{ id: items[1]?.['id'] }])
  expect(refusalOf(await send(data, `GET ${DOCUMENTS}?limit=0`))).toEqual([400, 'request.invalid'])
})

test('a customer lists the own copies, which are for it alone', async () => {
  const { body } = await send(person.access, 'GET /api/customer/documents?limit=500')
  const own = await send(person.access, `GET /api/company-connections/${person.connectionId}/documents?limit=500`)
  const copies = listOf(own.body['items']).filter(({ content_sha256 }) => content_sha256 !== null)
  expect(listOf(body['items']).map(({ id }) => id)).toEqual(copies.map(({ id }) => id))
  const [first] = copies
  const foreign = `GET /api/company-connections/${company.connectionId}/documents/${String(first?.['id'])}`
  expect(refusalOf(await send(company.access, foreign))).toEqual([404, 'documents.not_found'])
})

test('a record of a connection has the documents of its service with their content, newest first', async () => {
  const notice = await post(DOCUMENTS, '{"name": "Hours", "payload_kind": "json", "value": {"title": "Open"}}')
  const file = await post(DOCUMENTS, '{"name": "Map", "payload_kind": "file"}')
  const stored = `{"file": "${PDF_URI}", "original_name": "map.pdf"}`
  expect((await post(`${DOCUMENTS}/${String(file.body['id'])}/file`, stored)).status).toBe(200)
  for (const { body } of [notice, file]) await arrived(String(body['id']))
  const { body } = await send(person.access, `GET /api/company-connections/${person.connectionId}`)
  expect(body['documents']).toEqual([])
  const [link] = listOf(body['services'])
  const documents = listOf(link?.['documents'])
  expect(link?.['documents_total']).toBe(documents.length)
  const valueOf = (name: string) => documents.find((document) => document['name'] === name)?.['value']
  expect(documents.slice(0, 2).map((document) => document['name'])).toEqual(['Map', 'Hours'])
  expect(valueOf('Hours')).toEqual({ title: 'Open' })
  expect(valueOf('Map')).toEqual({ _enc_file: expect.any(String) })
  expect(valueOf('Plan')).toMatchObject({ _enc: 1, k: expect.any(String) })
  for (const document of documents) {
    expect(document).toMatchObject({ metadata: expect.any(Object), is_private: false, signatures: [] })
    expect(document).toHaveProperty('description')
  }
  const listed = await send(person.access, `GET /api/company-connections/${person.connectionId}/documents?limit=500`)
  const texts = listOf(listed.body['items']).filter(({ name }) => name === 'Plan')
  expect(texts.map(({ value }) => typeof value)).toEqual(['string'])
})
