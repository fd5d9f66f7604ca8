import { bodyOf, dataUri, invalidAt, openWorld, refused, sealTo } from '@sealpost/testkit'
import { expect, test } from 'vitest'
import { CONTRACT, copyPath, DOCUMENTS, sendTo, sha256 } from '../testing/documents.ts'
import { tidyDocuments } from './index.ts'

const DAY_MS = 24 * 3_600_000
const world = await openWorld()
const service = await world.service([])
const { person, connectionId } = await world.customer(service, [])
const key = person.user.keys.publicKey

const eventsOf = async (id: string) => (await service.drain()).filter((event) => event['document_id'] === id)
const make = () =>
  sendTo(service, person, connectionId, { payload_kind: 'file', plain_sha256: sha256('%PDF-1.7 terms') })
const seal = () => sealTo(key, JSON.stringify({ file: dataUri('application/pdf', Buffer.from('%PDF-1.7 terms')) }))

test('a contract takes the digest of its PDF, and is created by the upload [DOC-11]', async () => {
  await service.drain()
  const { id, ...created } = await make()
  expect(created).toMatchObject({
    value: { _pending: true },
    plain_sha256: sha256('%PDF-1.7 terms'),
    sealed_at: null,
  })
  expect(await eventsOf(id)).toEqual([])
  expect(await person.calls('GET', copyPath(connectionId, id))).toMatchObject(refused(404, 'documents.not_found'))
  const value = await seal()
  const path = `${DOCUMENTS}/${id}/file`
  expect(await bodyOf(service.data('POST', path, { body: { value } }))).toEqual({ id })
  expect(await bodyOf(service.data('POST', path, { body: { value } }))).toEqual({ id })
  expect(await eventsOf(id)).toMatchObject([{ event: 'document_created' }])
  expect(await bodyOf(service.data('GET', `${DOCUMENTS}/${id}`))).toMatchObject({
    value: { _enc_file: id },
    content_sha256: sha256(value),
  })
  await bodyOf(service.data('POST', path, { body: { value: await seal() } }))
  expect(await eventsOf(id)).toMatchObject([{ event: 'document_updated' }])
})

test('the digest is in lowercase hex [DOC-11]', async () => {
  for (const plain_sha256 of [sha256('').toUpperCase(), sha256('').slice(1)]) {
    const body = { ...CONTRACT, payload_kind: 'file', target: { connection_id: connectionId }, plain_sha256 }
    expect(await service.data('POST', DOCUMENTS, { body })).toMatchObject(invalidAt('/body/plain_sha256'))
  }
})

test('the company cannot read it back [DOC-23]', async () => {
  const { id } = await make()
  await bodyOf(service.data('POST', `${DOCUMENTS}/${id}/file`, { body: { value: await seal() } }))
  expect(await service.data('GET', `${DOCUMENTS}/${id}/file`)).toMatchObject(
    refused(403, 'documents.recipient_encrypted'),
  )
})

test('plaintext and a wrapper object are refused; a JSON document takes no file', async () => {
  const { id } = await make()
  for (const value of [undefined, '%PDF-1.7', JSON.parse(await seal()) as unknown]) {
    expect(await service.data('POST', `${DOCUMENTS}/${id}/file`, { body: { value } })).toMatchObject(
      refused(400, 'contact_data.encryption_required'),
    )
  }
  const json = await sendTo(service, person, connectionId)
  expect(await service.data('POST', `${DOCUMENTS}/${json.id}/file`, { body: { value: await seal() } })).toMatchObject(
    refused(400, 'documents.invalid_payload'),
  )
})

test('without its file a contract can be deleted at once, and is removed after a day', async () => {
  const [deleted, swept] = [await make(), await make()]
  await bodyOf(service.data('DELETE', `${DOCUMENTS}/${deleted.id}`), 204)
  expect(await service.data('GET', `${DOCUMENTS}/${deleted.id}`)).toMatchObject(refused(404, 'documents.not_found'))
  const context = world.eu.modules.documents.service
  await tidyDocuments(context)
  expect(await service.data('GET', `${DOCUMENTS}/${swept.id}`)).toMatchObject({ status: 200 })
  const later = { now: () => (world.clock.now() + DAY_MS) as ReturnType<typeof world.clock.now> }
  await tidyDocuments({ ...context, clock: later })
  expect(await service.data('GET', `${DOCUMENTS}/${swept.id}`)).toMatchObject(refused(404, 'documents.not_found'))
})
