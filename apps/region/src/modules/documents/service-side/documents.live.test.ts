import { createHash } from 'node:crypto'
import { bodyOf, dataUri, invalidAt, openWorld, refused, sealTo } from '@sealpost/testkit'
import { describe, expect, test } from 'vitest'
import { CONTRACT, copyPath, DOCUMENTS, sendTo, sha256, TERMS } from '../testing/documents.ts'

const MISSING = '019a0000-0000-7000-8000-00000000dead'
const world = await openWorld()
const company = await world.company()
const service = await world.service([], { company })
const { person, connectionId } = await world.customer(service, [])
const stranger = await world.service([])
const key = person.user.keys.publicKey

const eventsOf = async (id: string) => (await service.drain()).filter((event) => event['document_id'] === id)

describe('creating', () => {
  test('a contract for one customer has all members, and raises document_created [DOC-01] [DOC-02] [DOC-04] [DOC-13] [EVENT-18]', async () => {
    await service.drain()
    const value = await sealTo(key, TERMS)
    const body = {
      ...CONTRACT,
      target: { connection_id: connectionId },
      value,
      description: 'For 2027',
      status: 'active',
      plain_sha256: sha256('no file'),
    }
    const created = await bodyOf(service.data('POST', DOCUMENTS, { body }), 201)
    expect(created).toEqual({
      id: expect.any(String),
      name: CONTRACT.name,
      description: 'For 2027',
      payload_kind: 'json',
      kind: 'agreement',
      is_private: false,
      requires_signature: true,
      requires_acceptance: false,
      status: 'ready_to_sign',
      metadata: { can_be_cancelled_in_app: false },
      signatures: [],
      plain_sha256: null,
      sealed_at: null,
      cancel_effective_date: null,
      connection_id: connectionId,
      person_user_id: person.userId,
      value: JSON.parse(value),
      content_sha256: sha256(value),
      created_at: world.time(),
      updated_at: world.time(),
    })
    expect(await bodyOf(service.data('GET', `${DOCUMENTS}/${String(created['id'])}`))).toEqual(created)
    expect(await eventsOf(String(created['id']))).toEqual([
      {
        id: expect.any(String),
        event: 'document_created',
        person_user_id: person.userId,
        share_code: person.user.shareCode,
        at: world.time(),
        connection_id: connectionId,
        service_id: service.serviceId,
        document_id: created['id'],
        name: CONTRACT.name,
        kind: 'agreement',
        payload_kind: 'json',
      },
    ])
  })

  test('documents are of three kinds, payloads of two, and others are refused [DOC-03]', async () => {
    for (const kind of ['document', 'agreement', 'subscription']) {
      for (const payload_kind of ['json', 'file']) {
        const created = await sendTo(service, person, connectionId, { kind, payload_kind })
        expect(created).toMatchObject({ kind, payload_kind })
      }
    }
    const body = { ...CONTRACT, target: { connection_id: connectionId }, value: await sealTo(key, TERMS) }
    for (const [member, other] of [
      ['kind', 'contract'],
      ['payload_kind', 'xml'],
    ] as const) {
      expect(await service.data('POST', DOCUMENTS, { body: { ...body, [member]: other } })).toMatchObject(
        invalidAt(`/body/${member}`),
      )
    }
  })

  test.each([
    ['ready_to_sign', { requires_signature: true, requires_acceptance: true }],
    ['offering', { requires_signature: false, requires_acceptance: true }],
    ['active', { requires_signature: false, kind: 'document' }],
  ])('the first status is %s [DOC-10]', async (status, members) => {
    expect(await sendTo(service, person, connectionId, members)).toMatchObject({ status })
  })

  test('the customer is named by connection, person or share code, and the wrapper may be an object [DOC-06]', async () => {
    const value: unknown = JSON.parse(await sealTo(key, TERMS))
    for (const target of [
      { person_user_id: person.userId },
      { share_code: ` ${person.user.shareCode.toLowerCase()} ` },
    ]) {
      const body = { ...CONTRACT, target, value, is_private: true }
      expect(await bodyOf(service.data('POST', DOCUMENTS, { body }), 201)).toMatchObject({
        connection_id: connectionId,
        is_private: true,
        value,
      })
    }
  })

  test('a document for one customer is refused in plaintext, whatever is_private says [DOC-06]', async () => {
    for (const is_private of [false, true]) {
      for (const value of [{ title: 'Plain' }, TERMS, '', 7]) {
        const body = { ...CONTRACT, target: { connection_id: connectionId }, is_private, value }
        expect(await service.data('POST', DOCUMENTS, { body })).toMatchObject(
          refused(400, 'contact_data.encryption_required'),
        )
      }
    }
  })

  test.each([
    { kind: 'agreement' },
    { kind: 'subscription' },
    { requires_signature: true },
    { requires_acceptance: true },
  ])('a contract without a target is refused: %j [DOC-09]', async (members) => {
    const body = { name: 'For all', payload_kind: 'json', value: {}, ...members }
    expect(await service.data('POST', DOCUMENTS, { body })).toMatchObject(
      refused(400, 'documents.contract_requires_person'),
    )
  })

  test('is_private needs a target [DOC-08]', async () => {
    const body = { name: 'For all', payload_kind: 'json', value: {}, is_private: true }
    expect(await service.data('POST', DOCUMENTS, { body })).toMatchObject(
      refused(400, 'documents.private_requires_person'),
    )
  })

  test('is_private reaches the device of the one reader, and changes nothing else [DOC-08]', async () => {
    const value = await sealTo(key, TERMS)
    const create = async (is_private: boolean) => {
      await service.drain()
      const body = { ...CONTRACT, target: { connection_id: connectionId }, value, is_private }
      const { id, ...record } = await bodyOf(service.data('POST', DOCUMENTS, { body }), 201)
      const path = copyPath(connectionId, String(id))
      await expect.poll(async () => (await person.calls('GET', path)).status).toBe(200)
      const { id: _copy, ...copy } = await bodyOf(person.calls('GET', path))
      const events = (await eventsOf(String(id))).map((event) => ({ ...event, id: null, document_id: null }))
      return { record, copy, events }
    }
    const [open, hidden] = [await create(false), await create(true)]
    expect([open.record, open.copy]).toMatchObject([{ is_private: false }, { is_private: false }])
    expect([hidden.record, hidden.copy]).toMatchObject([{ is_private: true }, { is_private: true }])
    const shown = { is_private: false }
    expect({ ...hidden, record: { ...hidden.record, ...shown }, copy: { ...hidden.copy, ...shown } }).toEqual(open)
  })

  test('payload and kind must fit, and JSON has at most 256 KiB', async () => {
    const base = { name: 'For all', payload_kind: 'json' }
    expect(await service.data('POST', DOCUMENTS, { body: base })).toMatchObject(
      refused(400, 'documents.invalid_payload'),
    )
    const file = { ...base, payload_kind: 'file', value: {} }
    expect(await service.data('POST', DOCUMENTS, { body: file })).toMatchObject(
      refused(400, 'documents.invalid_payload'),
    )
    const text = 'x'.repeat(256 * 1024 - 2)
    expect(await service.data('POST', DOCUMENTS, { body: { ...base, value: text } })).toMatchObject({ status: 201 })
    expect(await service.data('POST', DOCUMENTS, { body: { ...base, value: `${text}x` } })).toMatchObject(
      refused(400, 'documents.too_large'),
    )
  })

  test.each([
    ['/body/target', { target: {} }],
    ['/body/target', { target: { connection_id: connectionId, share_code: 'ABCDEF' } }],
    ['/body/name', { name: '   ' }],
    ['/body/metadata/can_be_cancelled_in_app', { metadata: { can_be_cancelled_in_app: 'yes' } }],
    ['/body/metadata/cancel_notice_days', { metadata: { cancel_notice_days: 1.5 } }],
    ['/body/metadata/price', { metadata: { price: 5 } }],
  ])('%s is validated: %j', async (path, members) => {
    const body = { ...CONTRACT, target: { connection_id: connectionId }, value: await sealTo(key, TERMS), ...members }
    expect(await service.data('POST', DOCUMENTS, { body })).toMatchObject(invalidAt(path))
  })

  test("an unknown customer and another service's answer the same 404", async () => {
    const value = await sealTo(key, TERMS)
    const answers = await Promise.all(
      [
        { connection_id: MISSING },
        { person_user_id: MISSING },
        { share_code: 'ABSENT' },
        { connection_id: connectionId },
      ].map((target, index) =>
        (index === 3 ? stranger : service).data('POST', DOCUMENTS, { body: { ...CONTRACT, target, value } }),
      ),
    )
    for (const answer of answers) {
      expect(answer).toMatchObject(refused(404, 'company_data.connection_not_found'))
      expect(answer.text).toBe(answers[0]?.text)
    }
  })

  test('the same call with its Idempotency-Key creates one document', async () => {
    const body = { ...CONTRACT, target: { connection_id: connectionId }, value: await sealTo(key, TERMS) }
    const once = () => service.data('POST', DOCUMENTS, { body, key: 'one-contract' })
    const [first, second] = [await once(), await once()]
    expect(second.body).toEqual(first.body)
  })
})

describe('broadcasts', () => {
  test('a broadcast is kept in plaintext and raises no events [DOC-07] [DOC-25]', async () => {
    await service.drain()
    const value = { title: 'Closed on Monday' }
    const body = { name: 'Notice', payload_kind: 'json', value }
    const created = await bodyOf(service.data('POST', DOCUMENTS, { body }), 201)
    expect(created).toMatchObject({ value, connection_id: null, person_user_id: null, status: 'active' })
    const path = `${DOCUMENTS}/${String(created['id'])}`
    await bodyOf(service.data('PUT', path, { body: { name: 'A notice' } }))
    await bodyOf(service.data('DELETE', path), 204)
    expect(await eventsOf(String(created['id']))).toEqual([])
  })

  test('its file is answered as it was uploaded [DOC-24]', async () => {
    const created = await bodyOf(
      service.data('POST', DOCUMENTS, { body: { name: 'Price list', payload_kind: 'file' } }),
      201,
    )
    const path = `${DOCUMENTS}/${String(created['id'])}/file`
    const pdf = Buffer.from('%PDF-1.7 prices')
    expect(await service.data('GET', path)).toMatchObject(refused(404, 'company_data.file_not_found'))
    const upload = { file: dataUri('application/pdf', pdf), original_name: 'prices.pdf' }
    expect(await bodyOf(service.data('POST', path, { body: upload }))).toEqual({ id: created['id'] })
    const downloaded = await service.download(path)
    expect(Buffer.from(downloaded.bytes)).toEqual(pdf)
    expect(downloaded.headers.get('x-platform-content-sha256')).toBe(createHash('sha256').update(pdf).digest('hex'))
    expect(await bodyOf(service.data('GET', `${DOCUMENTS}/${String(created['id'])}`))).toMatchObject({
      value: { file: path, original_name: 'prices.pdf', mime_type: 'application/pdf', size: pdf.length },
    })
  })

  test.each([
    [
      refused(400, 'documents.bad_mime'),
      { file: dataUri('text/html', Buffer.from('<html>')), original_name: 'a.html' },
    ],
    [
      refused(400, 'documents.bad_mime'),
      { file: dataUri('application/pdf', Buffer.from('<html>')), original_name: 'a.pdf' },
    ],
    [
      refused(400, 'documents.bad_mime'),
      { file: dataUri('application/pdf', Buffer.from('%PDF-1')), original_name: 'a.exe' },
    ],
    [refused(400, 'documents.invalid_payload'), { file: dataUri('application/pdf', Buffer.from('%PDF-1')) }],
    [refused(400, 'documents.invalid_payload'), { file: 'prices', original_name: 'a.pdf' }],
    [refused(400, 'documents.invalid_payload'), { value: 'x' }],
  ])('a file of another form is refused: %j', async (refusal, upload) => {
    const created = await bodyOf(
      service.data('POST', DOCUMENTS, { body: { name: 'A file', payload_kind: 'file' } }),
      201,
    )
    expect(await service.data('POST', `${DOCUMENTS}/${String(created['id'])}/file`, { body: upload })).toMatchObject(
      refusal,
    )
  })
})
