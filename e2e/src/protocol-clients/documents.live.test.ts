import { openWorld } from '@sealpost/testkit'
import { describe, expect, test } from 'vitest'
import { open, privateKeyOf, seal, sha256, underOneTimeKey } from './crypto.ts'
import { DOCUMENTS, openDocuments, PDF } from './documents.ts'
import { membersOf, refusalOf } from './http.ts'
import { send } from './raw-request.ts'

const UNKNOWN = '019a0000-0000-7000-8000-00000000dead'
const TERMS = '{"title": "Terms", "sections": [{"text": "Delivery on Mondays"}]}'

const world = await openWorld()
const { data, phone, person, company, post, create, read, ownPath, arrived, eventsOf, offerPdf } =
  await openDocuments(world)
const personKey = privateKeyOf(person.privateKeyBytes)

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
      for (const digestComes of ['early', 'late'] as const) {
        const { id, value, upload } = await offerPdf(terms, digestComes)
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
    const { id, value, upload } = await offerPdf('"kind": "agreement", "requires_signature": true')
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
    const later = world.time(50 * 24 * 3_600_000).slice(0, 10)
    const moved = await put(id, `{"status": "active_but_ending", "cancel_effective_date": "${later}"}`)
    expect(moved.body).toMatchObject({ status: 'active_but_ending', cancel_effective_date: later })
    const past = '{"status": "active_but_ending", "cancel_effective_date": "2020-01-01"}'
    expect(refusalOf(await put(id, past))).toEqual([400, 'request.invalid'])
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
    const later = world.time(31 * 24 * 3_600_000).slice(0, 10)
    for (const members of ['"active"', `"active_but_ending", "cancel_effective_date": "${later}"`]) {
      expect(refusalOf(await put(id, `{"status": ${members}}`))).toEqual([409, 'documents.status_invalid'])
    }
    expect((await put(id, '{"status": "ended"}')).body).toMatchObject({ status: 'ended' })
  })
})
