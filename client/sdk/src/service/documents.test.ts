import { plainPdf } from '@sealpost/pdf-format/testing'
import { expect, test } from 'vitest'
import { fakeTime, refusal } from '../../test/stub-platform.ts'
import type { Received, Reply } from '../../test/stub-server.ts'
import { newServiceKey, startStubService } from '../../test/stub-service.ts'
import { createDocument } from '../routes.generated.ts'

const DOCUMENT = '0196a8c4-5e6f-7a10-8b2c-3d4e5f607182'
const PERSON = '0196a8c4-5e6f-7a10-8b2c-3d4e5f607183'
const CONTRACT = {
  target: { person_user_id: PERSON },
  name: 'Lease',
  requires_signature: true,
  file: { bytes: plainPdf(), originalName: 'lease.pdf' },
} as const

const MEMBERS = createDocument.answers
const record = (value: unknown): Reply => ({
  status: 200,
  json: { ...Object.fromEntries(MEMBERS.map((name) => [name, null])), id: DOCUMENT, value },
})

/** Keys, creation and reads; the test answers uploads. */
async function startDocuments(uploaded: (count: number) => Reply, value: unknown = { _enc_file: DOCUMENT }) {
  const { key } = await newServiceKey()
  const time = fakeTime()
  const uploads: Received[] = []
  const service = await startStubService((received) => {
    if (received.path === '/api/keys/batch') return { status: 200, json: { keys: { [PERSON]: key.publicKey } } }
    if (!received.path.endsWith('/file')) return record(received.method === 'POST' ? { _pending: true } : value)
    uploads.push(received)
    return uploaded(uploads.length)
  }, time)
  return { ...service, uploads, key, creations: () => service.region.received.filter(isCreation) }
}

const isCreation = ({ method, path }: Received): boolean => method === 'POST' && path.endsWith('/documents')
const stored: Reply = { status: 200, json: { id: DOCUMENT } }

test('an upload whose answer is lost is repeated with the same sealed text', async () => {
  await using service = await startDocuments((count) => (count < 3 ? { status: 200, hangUp: true } : stored))
  await service.client.documents.send(CONTRACT)
  const bodies = new Set(service.uploads.map(({ body }) => body))
  expect([service.uploads.length, bodies.size, service.creations().length]).toEqual([3, 1, 1])
  const { value } = JSON.parse([...bodies][0] ?? '{}')
  expect(JSON.parse(await service.key.open(value))).toMatchObject({ original_name: 'lease.pdf' })
})

test('a repeat with the same key does not replace a file that has arrived', async () => {
  await using service = await startDocuments(() => stored)
  await service.client.documents.send(CONTRACT, { idempotencyKey: 'lease-7' })
  expect(service.uploads).toEqual([])
  await using unfinished = await startDocuments(() => stored, { _pending: true })
  await unfinished.client.documents.send(CONTRACT, { idempotencyKey: 'lease-7' })
  expect(unfinished.uploads).toHaveLength(1)
  expect(unfinished.creations().map(({ headers }) => headers['idempotency-key'])).toEqual(['lease-7'])
})

test('a refused upload is thrown at once', async () => {
  await using service = await startDocuments(() => refusal(400, 'documents.too_large'))
  await expect(service.client.documents.send(CONTRACT)).rejects.toMatchObject({ key: 'documents.too_large' })
  expect(service.uploads).toHaveLength(1)
})

test('a document needs either a value or a file, and a customer of this service', async () => {
  await using service = await startDocuments(() => stored)
  const { file: _file, ...without } = CONTRACT
  await expect(service.client.documents.send(without as never)).rejects.toThrow('either a `value` or a `file`')
  const stranger = { person_user_id: DOCUMENT }
  await expect(service.client.documents.send({ ...CONTRACT, target: stranger })).rejects.toThrow()
  expect(service.creations()).toEqual([])
})
