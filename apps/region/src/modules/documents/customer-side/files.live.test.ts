import { createHash, randomBytes } from 'node:crypto'
import { bodyOf, dataUri, openWorld, refused, sealTo } from '@sealpost/testkit'
import { expect, test } from 'vitest'
import { copyPath, DOCUMENTS, sendTo, sha256 } from '../testing/documents.ts'

const world = await openWorld()
const company = await world.company()
const service = await world.service([], { company })
const { person, connectionId } = await world.customer(service, [])
const PDF = Buffer.from('%PDF-1.7 the terms')

const arrived = async (id: string, reader = person, link = connectionId) => {
  const path = copyPath(link, id)
  await expect.poll(async () => (await reader.calls('GET', path)).status).toBe(200)
  return path
}

async function sendFile(members: Readonly<Record<string, unknown>> = {}) {
  const { id } = await sendTo(service, person, connectionId, { payload_kind: 'file', ...members })
  const value = await sealTo(
    person.user.keys.publicKey,
    JSON.stringify({ file: dataUri('application/pdf', PDF), original_name: 'terms.pdf' }),
  )
  await bodyOf(service.data('POST', `${DOCUMENTS}/${id}/file`, { body: { value } }))
  return { id, value, path: await arrived(id) }
}

test('a file arrives sealed in the region of its customer', async () => {
  const { value, path, id } = await sendFile({ kind: 'document', requires_signature: false })
  const answer = await person.calls('GET', `${path}/file`)
  expect(answer.body).toEqual({ encrypted: true, value })
  expect(answer.headers.get('x-platform-content-sha256')).toBe(createHash('sha256').update(answer.text).digest('hex'))
  expect(await bodyOf(person.calls('GET', path))).toMatchObject({
    value: { _enc_file: id },
    content_sha256: sha256(value),
  })
})

test('long JSON, which no message holds, arrives whole', async () => {
  const value = await sealTo(person.user.keys.publicKey, JSON.stringify({ title: 'x'.repeat(250_000) }))
  const { id } = await sendTo(service, person, connectionId, { value, kind: 'document', requires_signature: false })
  const path = await arrived(id)
  expect(await bodyOf(person.calls('GET', path))).toMatchObject({ value, content_sha256: sha256(value) })
  // The record of the connection refers to it.
  expect((await person.calls('GET', `${path}/file`)).body).toEqual({ encrypted: true, value })
})

test('a broadcast is visible to present and future customers while it is active', async () => {
  const own = await world.service([], { company })
  const before = await world.customer(own, [])
  const notice = await bodyOf(
    own.data('POST', DOCUMENTS, { body: { name: 'Notice', payload_kind: 'json', value: { title: 'Closed' } } }),
    201,
  )
  const id = String(notice['id'])
  const path = await arrived(id, before.person, before.connectionId)
  const after = await world.customer(own, [])
  expect(await bodyOf(after.person.calls('GET', copyPath(after.connectionId, id)))).toMatchObject({
    name: 'Notice',
    value: { title: 'Closed' },
    connection_id: after.connectionId,
    signatures: [],
    content_sha256: null,
  })
  const listed = await bodyOf(before.person.calls('GET', `/api/company-connections/${before.connectionId}/documents`))
  expect(listed['items']).toMatchObject([{ id }])
  for (const act of ['sign', 'accept', 'decline', 'cancel']) {
    const body = { method: 'biometric', content_sha256: 'ab'.repeat(32) }
    expect(await before.person.calls('POST', `${path}/${act}`, { body })).toMatchObject(
      refused(404, 'documents.not_found'),
    )
  }
  await bodyOf(own.data('PUT', `${DOCUMENTS}/${id}`, { body: { status: 'ended' } }))
  await expect.poll(async () => (await before.person.calls('GET', path)).status).toBe(404)
})

test('a region with its first customer learns of all broadcasts, and of files when they are read', async () => {
  const own = await world.service([], { company })
  const created = await bodyOf(own.data('POST', DOCUMENTS, { body: { name: 'Prices', payload_kind: 'file' } }), 201)
  const id = String(created['id'])
  const upload = { file: dataUri('application/pdf', PDF), original_name: 'prices.pdf' }
  await bodyOf(own.data('POST', `${DOCUMENTS}/${id}/file`, { body: upload }))
  const large = { text: randomBytes(90_000).toString('hex') }
  const text = await bodyOf(
    own.data('POST', DOCUMENTS, { body: { name: 'Long', payload_kind: 'json', value: large } }),
    201,
  )
  const first = await world.customer(own, [])
  const path = await arrived(id, first.person, first.connectionId)
  const envelope = { ...upload, mime_type: 'application/pdf', size: PDF.length }
  for (let times = 0; times < 2; times += 1) {
    const answer = await bodyOf(first.person.calls('GET', `${path}/file`))
    expect(answer['encrypted']).toBe(false)
    expect(JSON.parse(String(answer['value']))).toEqual(envelope)
  }
  expect(await bodyOf(first.person.calls('GET', path))).toMatchObject({
    value: { file: `${path}/file`, original_name: 'prices.pdf', mime_type: 'application/pdf', size: PDF.length },
  })
  const longPath = await arrived(String(text['id']), first.person, first.connectionId)
  expect((await bodyOf(first.person.calls('GET', longPath)))['value']).toEqual(large)
})

test('a file contract without the digest of its PDF cannot be signed or accepted [DOC-12] [DOC-26]', async () => {
  const sent = await sendFile({ requires_signature: true })
  const body = { method: 'biometric', content_sha256: sha256(sent.value), otk: 'x', pdf: 'x' }
  expect(await person.calls('POST', `${sent.path}/sign`, { body })).toMatchObject(
    refused(409, 'documents.not_signable'),
  )
  const offer = await sendFile({ requires_signature: false, requires_acceptance: true })
  const accept = { content_sha256: sha256(offer.value), otk: 'x', pdf: 'x' }
  expect(await person.calls('POST', `${offer.path}/accept`, { body: accept })).toMatchObject(
    refused(409, 'documents.not_signable'),
  )
  expect(await bodyOf(service.data('GET', `${DOCUMENTS}/${offer.id}`))).toMatchObject({
    status: 'offering',
    signatures: [],
  })
})

test('an erased account leaves no copies', async () => {
  const { person: leaving, connectionId: link } = await world.customer(service, [])
  const { id } = await sendTo(service, leaving, link)
  await arrived(id, leaving, link)
  await leaving.erase()
  const rows = await world.rows('select 1 from documents_customer.copy where account_id = $1', [leaving.userId], 'us')
  expect(rows).toEqual([])
  await expect.poll(async () => (await bodyOf(service.data('GET', `${DOCUMENTS}/${id}`)))['status']).toBe('ended')
})
