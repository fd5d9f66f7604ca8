import { templatePdf } from '@sealpost/pdf-format/testing'
import { addDevice, openWorld } from '@sealpost/testkit'
import { describe, expect, test } from 'vitest'
import { openBackend } from './backend.ts'
import { open, privateKeyOf, seal, sha256, underOneTimeKey } from './crypto.ts'
import { listOf, type Members, membersOf, type Reply, refusalOf } from './http.ts'
import { connectCompany, connectPerson } from './parties.ts'
import { send } from './raw-request.ts'

const DOCUMENTS = '/api/company-data/documents'
const UNKNOWN = '019a0000-0000-7000-8000-00000000dead'
const TERMS = '{"title": "Terms", "sections": [{"text": "Delivery on Mondays"}]}'
const PDF = templatePdf({ contents: ['BT /F1 12 Tf 50 700 Td (Terms) Tj ET'] })

const world = await openWorld()
const backend = await openBackend(world, [])
const { data } = backend
const account = await world.person({ displayName: 'Mara Lindt' })
const phone = await addDevice(account)
const person = await connectPerson(backend, account)
const company = await connectCompany(world, backend)
const personKey = privateKeyOf(person.privateKeyBytes)

function post(path: string, body: string): Promise<Reply> {
  return send(data, `POST ${path}\nContent-Type: application/json\nAccept: application/json\n\n${body}`)
}

/** Creates a document for the person and answers its record. */
async function create(members: string): Promise<Members & { readonly id: string }> {
  const reply = await post(DOCUMENTS, `{"target": {"connection_id": "${person.connectionId}"}, ${members}}`)
  expect([reply.status, reply.body['error']]).toEqual([201, undefined])
  return { ...reply.body, id: String(reply.body['id']) }
}

async function read(id: string): Promise<Members> {
  return (await send(data, `GET ${DOCUMENTS}/${id}`)).body
}

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

/** A PDF that the person is asked to sign or to accept; `early` is whether its digest comes with the document. */
async function offerPdf(early: boolean, terms: string) {
  const digest = `"plain_sha256": "${sha256(PDF)}"`
  const { id } = await create(`"name": "Terms", "payload_kind": "file", ${terms}${early ? `, ${digest}` : ''}`)
  const file = `data:application/pdf;base64,${Buffer.from(PDF).toString('base64')}`
  const value = seal(person.publicKey, JSON.stringify({ file, original_name: 'terms.pdf' }))
  const upload = `{"value": ${JSON.stringify(value)}${early ? '' : `, ${digest}`}}`
  return { id, value, upload: () => post(`${DOCUMENTS}/${id}/file`, upload) }
}

describe('a document for one customer', () => {
  test('is sealed JSON, as an object or as its text, for a target that is named in three ways', async () => {
    for (const target of [
      `{"connection_id": "${person.connectionId}"}`,
      `{"person_user_id": "${person.userId}"}`,
      `{"share_code": "${person.shareCode}"}`,
    ]) {
      const wrapper = seal(person.publicKey, TERMS)
      for (const value of [wrapper, JSON.stringify(wrapper)]) {
        const body = `{"name": "Terms", "payload_kind": "json", "kind": "agreement", "target": ${target},
          "requires_acceptance": true, "status": "active", "is_private": true, "value": ${value}, "unknown": [1]}`
        const made = await post(DOCUMENTS, body)
        expect(made).toMatchObject({
          status: 201,
          body: {
            name: 'Terms',
            payload_kind: 'json',
            kind: 'agreement',
            requires_signature: false,
            requires_acceptance: true,
            status: 'offering',
            is_private: true,
            connection_id: person.connectionId,
            person_user_id: person.userId,
            metadata: { can_be_cancelled_in_app: false },
            value: JSON.parse(wrapper),
            signatures: [],
            plain_sha256: null,
            sealed_at: null,
          },
        })
        const own = await arrived(String(made.body['id']))
        expect([own['value'], own['status']]).toEqual([wrapper, 'offering'])
        expect(open(personKey, own['value'])).toBe(TERMS)
      }
    }
  })

  test('is refused in the clear, with two targets, for a stranger, and as a contract or private without a target', async () => {
    const value = seal(person.publicKey, TERMS)
    const sealed = JSON.stringify(value)
    const to = `"target": {"connection_id": "${person.connectionId}"}`
    for (const [members, status, key] of [
      [`${to}, "value": {"title": "Terms"}`, 400, 'contact_data.encryption_required'],
      [`${to}, "value": "Terms"`, 400, 'contact_data.encryption_required'],
      [`"target": {"connection_id": "${UNKNOWN}"}, "value": ${sealed}`, 404, 'company_data.connection_not_found'],
      [
        `"target": {"connection_id": "${person.connectionId}", "share_code": "${person.shareCode}"}, "value": ${sealed}`,
        400,
        'request.invalid',
      ],
      ['"requires_signature": true, "value": 1', 400, 'documents.contract_requires_person'],
      ['"kind": "subscription", "target": null, "value": 1', 400, 'documents.contract_requires_person'],
      ['"is_private": true, "value": 1', 400, 'documents.private_requires_person'],
    ] as const) {
      const refused = await post(DOCUMENTS, `{"name": "Terms", "payload_kind": "json", ${members}}`)
      expect([members, ...refusalOf(refused)]).toEqual([members, status, key])
    }
  })

  test.each(['"kind": "agreement", "requires_signature": true', '"requires_acceptance": true'])(
    'is a PDF in a second call, and begins with it: %s',
    async (terms) => {
      for (const early of [true, false]) {
        const { id, value, upload } = await offerPdf(early, terms)
        expect(await read(id)).toMatchObject({ value: { _pending: true } })
        expect(refusalOf(await send(person.access, `GET ${ownPath(id)}`))).toEqual([404, 'documents.not_found'])
        expect(await eventsOf(id)).toEqual([])
        expect(await upload()).toMatchObject({ status: 200, body: { id } })
        expect(await eventsOf(id)).toMatchObject([
          { event: 'document_created', payload_kind: 'file', person_user_id: person.userId },
        ])
        expect(await read(id)).toMatchObject({
          value: { _enc_file: expect.any(String) },
          plain_sha256: sha256(PDF),
          sealed_at: null,
        })
        expect(refusalOf(await send(data, `GET ${DOCUMENTS}/${id}/file`))).toEqual([
          403,
          'documents.recipient_encrypted',
        ])
        await arrived(id)
        const file = await send(person.access, `GET ${ownPath(id)}/file\nAccept: application/xml`)
        expect(file.body).toEqual({ encrypted: true, value })
        expect(file.headers.get('x-platform-content-sha256')).toBe(sha256(file.bytes))
      }
    },
  )

  test('is signed by its customer; the sealed file replaces the copy, and no upload does', async () => {
    const { id, value, upload } = await offerPdf(true, '"kind": "agreement", "requires_signature": true')
    await upload()
    await arrived(id)
    await eventsOf(id)
    const content = sha256(value)
    const { otk, sealed } = underOneTimeKey(PDF)
    const act = { method: 'biometric', content_sha256: content, plain_sha256: sha256(PDF), otk, pdf: sealed[0] }
    const body = JSON.stringify({ ...act, assertion: phone.sign(content) })
    const signed = await send(person.access, `POST ${ownPath(id)}/sign\nContent-Type: application/json\n\n${body}`)
    expect(signed).toMatchObject({ status: 200, body: { status: 'active' } })
    const record = await read(id)
    expect(record).toMatchObject({
      status: 'active',
      sealed_at: expect.any(String),
      signatures: [
        {
          action: 'signed',
          method: 'biometric',
          content_sha256: content,
          plain_sha256: sha256(PDF),
          signer_first_name: 'Mara',
          signer_last_name: 'Lindt',
          signer_name_verified: false,
          created_at: expect.any(String),
        },
      ],
    })
    const [event] = await eventsOf(id)
    expect(event).toMatchObject({
      event: 'document_status_changed',
      status: 'active',
      action: 'signed',
      method: 'biometric',
      content_sha256: content,
      signed_at: expect.any(String),
      sealed_at: record['sealed_at'],
      plain_sha256: record['plain_sha256'],
      signer_first_name: 'Mara',
      cancel_effective_date: null,
    })
    await expect.poll(async () => (await arrived(id))['plain_sha256']).toBe(record['plain_sha256'])
    const { body: file } = await send(person.access, `GET ${ownPath(id)}/file`)
    const envelope = membersOf(JSON.parse(open(personKey, file['value'])))
    const bytes = Buffer.from(String(envelope['file']).split(';base64,')[1] ?? '', 'base64')
    expect([sha256(bytes), bytes.subarray(0, PDF.length).equals(PDF)]).toEqual([record['plain_sha256'], true])
    expect(refusalOf(await upload())).toEqual([409, 'documents.contract_immutable'])
    expect(refusalOf(await send(data, `DELETE ${DOCUMENTS}/${id}`))).toEqual([409, 'documents.contract_immutable'])
  })

  test('is signed by a human only: an account client of a company customer is refused', async () => {
    const value = JSON.stringify(seal(company.publicKey, TERMS))
    const made = await post(
      DOCUMENTS,
      `{"name": "Supply", "payload_kind": "json", "kind": "agreement", "requires_signature": true,
        "target": {"share_code": "${company.shareCode}"}, "value": ${value}}`,
    )
    const path = `/api/company-connections/${company.connectionId}/documents/${String(made.body['id'])}`
    await expect.poll(async () => (await send(company.access, `GET ${path}`)).status).toBe(200)
    for (const act of ['sign', 'accept']) {
      const asked = `POST ${path}/${act}\nContent-Type: application/json\n\n{"method": "custodian", "content_sha256": "x"}`
      expect(refusalOf(await send(company.access, asked))).toEqual([403, 'documents.human_required'])
    }
  })
})

describe('changes', () => {
  const contract = async (): Promise<string> => {
    const value = seal(person.publicKey, TERMS)
    const terms = `"name": "Plan", "payload_kind": "json", "kind": "subscription", "value": ${value}`
    const { id } = await create(`${terms}, "metadata": {"plan_name": "Gold", "cancel_notice_days": 30}`)
    return id
  }
  const put = (id: string, body: string, headers = '') =>
    send(data, `PUT ${DOCUMENTS}/${id}\nContent-Type: application/json; charset=utf-8${headers}\n\n${body}`)

  test('merge metadata by key, and are told as document_updated only', async () => {
    const id = await contract()
    expect((await eventsOf(id)).map(({ event }) => event)).toEqual(['document_created'])
    const changed = await put(id, '{"metadata": {"plan_name": null, "price": "9.90"}, "name": "Pl\\u00e4n"}')
    const metadata = { can_be_cancelled_in_app: true, cancel_notice_days: 30, price: '9.90' }
    expect(changed).toMatchObject({ status: 200, body: { name: 'Plän', metadata } })
    expect(changed.body['metadata']).not.toHaveProperty('plan_name')
    const date = world.time(40 * 24 * 3_600_000).slice(0, 10)
    const ending = await put(id, `{"status": "active_but_ending", "cancel_effective_date": "${date}"}`)
    expect(ending.body).toMatchObject({ status: 'active_but_ending', cancel_effective_date: date })
    expect((await put(id, '{"status": "active"}')).body).toMatchObject({ status: 'active' })
    expect((await put(id, '{"status": "ended"}', '\nTransfer-Encoding: chunked')).body['status']).toBe('ended')
    expect(refusalOf(await put(id, '{"status": "active"}'))).toEqual([409, 'documents.status_invalid'])
    expect(refusalOf(await put(id, '{"status": "signed"}'))).toEqual([400, 'request.invalid'])
    expect(refusalOf(await put(UNKNOWN, '{"status": "ended"}'))).toEqual([404, 'documents.not_found'])
    const events = await eventsOf(id)
    expect(new Set(events.map(({ event }) => event))).toEqual(new Set(['document_updated']))
    await expect.poll(async () => (await arrived(id))['status']).toBe('ended')
    // Of an ended contract the customer keeps the copy.
    expect(await send(data, `DELETE ${DOCUMENTS}/${id}`)).toMatchObject({ status: 204, bytes: Buffer.alloc(0) })
    expect(await eventsOf(id)).toMatchObject([{ event: 'document_deleted', name: 'Plän', kind: 'subscription' }])
  })

  test('a customer cancels what may be cancelled, and the status changes', async () => {
    const id = await contract()
    await arrived(id)
    await eventsOf(id)
    const asked = `POST ${ownPath(id)}/cancel\nContent-Type: application/json\n\n{"note": "Moved"}`
    expect((await send(person.access, asked)).body).toMatchObject({ status: 'active_but_ending' })
    const date = world.time(30 * 24 * 3_600_000).slice(0, 10)
    expect(await eventsOf(id)).toMatchObject([
      { status: 'active_but_ending', action: 'cancelled', method: null, cancel_effective_date: date, note: 'Moved' },
    ])
    expect(refusalOf(await send(person.access, asked))).toEqual([409, 'documents.status_invalid'])
  })
})

describe('a broadcast', () => {
  test('is JSON in the clear for every customer, and ends for them with its status', async () => {
    const made = await post(DOCUMENTS, '{"name": "Notice", "payload_kind": "json", "value": {"title": "Closed"}}')
    const { id, ...record } = made.body
    expect(record).toMatchObject({ status: 'active', value: { title: 'Closed' }, connection_id: null })
    const asXml = await send(data, `GET ${DOCUMENTS}/${String(id)}\nAccept: application/xml`)
    expect(membersOf(asXml.xml())).toMatchObject({ id, status: 'active', value: { title: 'Closed' }, connection_id: '' })
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
    const file = `data:application/pdf;base64,${Buffer.from(PDF).toString('base64')}`
    const stored = await post(`${DOCUMENTS}/${id}/file`, `{"file": "${file}", "original_name": "prices.pdf"}`)
    expect(stored).toMatchObject({ status: 200, body: { id } })
    expect((await read(id))['value']).toMatchObject({ original_name: 'prices.pdf', mime_type: 'application/pdf' })
    const raw = await send(data, `GET ${DOCUMENTS}/${id}/file`)
    expect([raw.headers.get('content-type'), sha256(raw.bytes)]).toEqual(['application/pdf', sha256(PDF)])
    expect(raw.headers.get('x-platform-content-sha256')).toBe(sha256(PDF))
    await arrived(id)
    const { body } = await send(person.access, `GET ${ownPath(id)}/file`)
    expect([body['encrypted'], membersOf(JSON.parse(String(body['value'])))['file']]).toEqual([false, file])
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
