import { bodyOf, dataUri, openWorld, sealTo } from '@sealpost/testkit'
import { expect, test } from 'vitest'
import { CONTRACT, DOCUMENTS, sha256, TERMS } from '../testing/documents.ts'

const world = await openWorld()
const service = await world.service([])
const { person, connectionId } = await world.customer(service, [])
const key = person.user.keys.publicKey
const seal = () => sealTo(key, JSON.stringify({ file: dataUri('application/pdf', Buffer.from('%PDF-1.7 terms')) }))

test('a contract without the digest is accepted with a warning and signable false, until the digest comes', async () => {
  const warned = 'documents.not_signable; plain_sha256 is missing'
  const warningOf = ({ headers }: { readonly headers: Headers }) => headers.get('x-platform-warning')
  const body = { ...CONTRACT, payload_kind: 'file', target: { connection_id: connectionId } }
  const made = await service.data('POST', DOCUMENTS, { body, key: 'without-a-digest' })
  expect(made).toMatchObject({ status: 201, body: { signable: false } })
  const again = await service.data('POST', DOCUMENTS, { body, key: 'without-a-digest' })
  expect([warningOf(made), warningOf(again)]).toEqual([warned, warned])
  const path = `${DOCUMENTS}/${String(made.body['id'])}`
  const upload = { value: await seal() }
  expect(warningOf(await service.data('POST', `${path}/file`, { body: upload }))).toBe(warned)
  expect(await bodyOf(service.data('GET', path))).toMatchObject({ signable: false, plain_sha256: null })
  // The same file once more, with its digest.
  const plain_sha256 = sha256('%PDF-1.7 terms')
  expect(warningOf(await service.data('POST', `${path}/file`, { body: { ...upload, plain_sha256 } }))).toBeNull()
  const read = await bodyOf(service.data('GET', path))
  expect(read).toMatchObject({ plain_sha256 })
  expect(read).not.toHaveProperty('signable')
})

test.each([
  ['a document without an act', { kind: 'document', requires_signature: false, payload_kind: 'file' }],
  ['a JSON contract', {}],
  ['a contract with its digest', { payload_kind: 'file', plain_sha256: sha256('%PDF-1.7 terms') }],
])('%s has neither the warning nor the member', async (_name, members) => {
  const value = 'payload_kind' in members ? {} : { value: await sealTo(key, TERMS) }
  const body = { ...CONTRACT, target: { connection_id: connectionId }, ...value, ...members }
  const made = await service.data('POST', DOCUMENTS, { body })
  expect(made.status).toBe(201)
  expect(made.headers.get('x-platform-warning')).toBeNull()
  expect(made.body).not.toHaveProperty('signable')
})
