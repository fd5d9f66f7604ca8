import { createHash } from 'node:crypto'
import { generateKeyPair, importOneTimeKey, openOnce } from '@sealpost/crypto'
import { Secret } from '@sealpost/kernel'
import { plainPdf } from '@sealpost/pdf-format/testing'
import { beforeAll, expect, test } from 'vitest'
import { optionsFor, startFrontDoor, startRegion } from '../../test/stub-platform.ts'
import type { Received, Reply } from '../../test/stub-server.ts'
import { fileReply } from '../../test/stub-service.ts'
import { documentEnvelope } from '../documents/document-file.ts'
import { AccountKey, CustomerClient, memoryPins, PublicKey, type SigningAssertion } from '../index.ts'
import { hostPlatform } from '../keys/host.ts'
import { readCustomerDocument } from '../routes.generated.ts'

const DOCUMENT = '0196a8c4-5e6f-7a10-8b2c-3d4e5f607182'
const CONNECTION = '0196a8c4-5e6f-7a10-8b2c-3d4e5f607183'
const PDF = plainPdf()
const sha256 = (content: string | Uint8Array): string => createHash('sha256').update(content).digest('hex')

let key: AccountKey
let sealing: PublicKey

beforeAll(async () => {
  const { publicKey, privateKey } = await generateKeyPair(hostPlatform())
  key = await AccountKey.fromPkcs8(privateKey.reveal())
  sealing = await PublicKey.import(publicKey)
})

const sealedFile = (bytes: Uint8Array): Promise<string> =>
  sealing.seal(documentEnvelope({ bytes, mimeType: 'application/pdf', originalName: 'lease.pdf' }))

const answered = (value: string, encrypted = true): Reply =>
  fileReply(JSON.stringify({ encrypted, value }), 'application/json')

function record(members: object): Reply {
  const empty = Object.fromEntries(readCustomerDocument.answers.map((name) => [name, null]))
  const about = { id: DOCUMENT, connection_id: CONNECTION, payload_kind: 'file', status: 'ready_to_sign' }
  return { status: 200, json: { ...empty, ...about, ...members } }
}

/** A region that answers for one document. */
async function startDocument(answers: {
  readonly record: (count: number) => Reply
  readonly file?: (count: number) => Reply
}) {
  const acts: Received[] = []
  let [records, files] = [0, 0]
  const region = await startRegion((received) => {
    if (received.method === 'POST') {
      acts.push(received)
      return record({ status: 'active' })
    }
    if (!received.path.endsWith('/file')) return answers.record((records += 1))
    return answers.file?.((files += 1)) ?? { status: 404, json: {} }
  })
  const frontDoor = await startFrontDoor(() => region.url)
  const { documents } = new CustomerClient({ ...optionsFor(frontDoor), key, pins: memoryPins() })
  return {
    documents,
    acts,
    reads: () => records,
    open: () => documents.open(CONNECTION, DOCUMENT),
    async [Symbol.asyncDispose]() {
      await frontDoor[Symbol.asyncDispose]()
      await region[Symbol.asyncDispose]()
    },
  }
}

test('a signature names the digests of what was opened, and hands over exactly that PDF', async () => {
  const sealed = await sealedFile(PDF)
  const facts = { content_sha256: sha256(sealed), plain_sha256: sha256(PDF) }
  await using region = await startDocument({ record: () => record(facts), file: () => answered(sealed) })
  const asked: string[] = []
  const assertion = (digest: string): Promise<SigningAssertion> => {
    asked.push(digest)
    return Promise.resolve({ device_id: DOCUMENT, signature: 'made' })
  }
  await region.documents.sign(await region.open(), { method: 'biometric', assertion })
  await region.documents.sign(await region.open(), { method: 'custodian' })
  expect(asked).toEqual([facts.content_sha256])
  const bodies = region.acts.map(({ body }) => JSON.parse(body))
  expect(bodies).toMatchObject([
    { method: 'biometric', assertion: { signature: 'made' }, ...facts },
    { method: 'custodian', ...facts },
  ])
  for (const { otk, pdf } of bodies) {
    const once = await importOneTimeKey(hostPlatform(), new Secret(otk))
    const handed = once.ok ? await openOnce(hostPlatform(), once.value, pdf) : once
    expect(handed.ok && Buffer.from(handed.value).equals(PDF)).toBe(true)
  }
  expect(new Set(bodies.map(({ otk }) => otk)).size).toBe(2)
})

test('a file that was replaced after its record was read is read again with its record', async () => {
  const [old, present] = [await sealedFile(plainPdf(2)), await sealedFile(PDF)]
  await using region = await startDocument({
    record: (count) => record({ content_sha256: sha256(count === 1 ? old : present) }),
    file: () => answered(present),
  })
  expect(await region.open()).toMatchObject({ kind: 'file', file: { bytes: new Uint8Array(PDF) } })
  expect(region.reads()).toBe(2)
})

test('a server that answers something else than it announces is not believed', async () => {
  const sealed = await sealedFile(PDF)
  const wrapper = await sealing.seal('{"title":"Terms"}')
  const json = { payload_kind: 'json', content_sha256: sha256(wrapper) }
  const clear = documentEnvelope({ bytes: PDF, mimeType: 'application/pdf', originalName: 'lease.pdf' })
  const lies = [
    // In the clear, though it is for one customer.
    { record: () => record({ content_sha256: sha256(clear) }), file: () => answered(clear, false) },
    // Sealed, though it is for all.
    { record: () => record({}), file: () => answered(sealed) },
    // Another ciphertext.
    { record: () => record({ content_sha256: sha256('other') }), file: () => answered(sealed) },
    // Another PDF than the company announced.
    {
      record: () => record({ content_sha256: sha256(sealed), plain_sha256: sha256('other') }),
      file: () => answered(sealed),
    },
    { record: () => record({ ...json, value: `${wrapper} ` }) },
    { record: () => record({ ...json, value: { title: 'Terms' } }) },
  ]
  for (const answers of lies) {
    await using region = await startDocument(answers)
    await expect(region.open()).rejects.toMatchObject({ name: 'UntrustedAnswerError', reason: 'document_changed' })
    expect(region.reads()).toBe(3)
  }
})

test('content that its company did not seal as a document is an error that does not quote it', async () => {
  const noJson = await sealing.seal('planted text')
  const noFile = await sealing.seal('{"name":"planted text"}')
  for (const answers of [
    { record: () => record({ payload_kind: 'json', content_sha256: sha256(noJson), value: noJson }) },
    { record: () => record({ content_sha256: sha256(noFile) }), file: () => answered(noFile) },
  ]) {
    await using region = await startDocument(answers)
    const error = await region.open().catch((reason: unknown) => reason)
    expect(error).toMatchObject({ name: 'EnvelopeError' })
    expect(String(error)).not.toContain('planted')
  }
})
