import { createHash } from 'node:crypto'
import { keyOf, listOf, membersOf, openWorld, scaled, type Service } from '@sealpost/testkit'
import { describe, expect, test } from 'vitest'

const IN_TIME = { timeout: scaled(15_000) }
const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1, 2, 3])
const PDF = Buffer.from('%PDF-1.7 a very small one')
const FIELDS = [
  { slug: 'face', type: 'photo' },
  { slug: 'id', type: 'legal_document' },
  { slug: 'paper', type: 'document', one_time: true },
]
const uri = (mime: string, bytes: Buffer) => `data:${mime};base64,${bytes.toString('base64')}`
const sha256 = (bytes: string | Buffer) => createHash('sha256').update(bytes).digest('hex')
const passport = (number: string) =>
  JSON.stringify({
    pages: [{ file: uri('image/png', PNG), label: 'front' }],
    document_number: number,
    issuing_country: 'NL',
  })

const world = await openWorld()
const service = await world.service(FIELDS)
const person = await world.person()
expect(await person.put('passport', passport('P1'), [], { isPrivate: false, isClear: true })).toMatchObject({
  status: 200,
})
const envelope = JSON.stringify({ file: uri('application/pdf', PDF), original_name: 'a.pdf' })
const id = await person.connected(service, [
  { slug: 'face', file: { file: uri('image/png', PNG), original_name: 'a.png' } },
  { slug: 'id', kind: 'linked', source: 'passport' },
  { slug: 'paper', kind: 'one_time', file: { value: await service.seal(envelope) } },
])

async function slotOf(from: Service, connectionId: string, slug: string): Promise<Record<string, unknown>> {
  return membersOf(membersOf((await from.read(connectionId))?.['values'])[slug])
}

/** The file that the service downloads, with its digest verified. */
async function serve(slug: string) {
  const { value_url } = await slotOf(service, id, slug)
  const { headers, bytes } = await service.download(String(value_url))
  expect(headers.get('x-platform-content-sha256')).toBe(sha256(bytes))
  return { type: headers.get('content-type'), bytes }
}

async function serveJson(slug: string): Promise<Record<string, unknown>> {
  return membersOf(JSON.parse((await serve(slug)).bytes.toString()))
}

describe('files at connect', () => {
  test('sealed, clear and raw files are served with exactly the bytes that were built', async () => {
    expect(await serve('face')).toEqual({ type: 'image/png', bytes: PNG })
    expect(await serveJson('id')).toEqual({ encrypted: false, value: passport('P1') })
    const sealed = await serveJson('paper')
    expect(sealed['encrypted']).toBe(true)
    expect(await service.open(sealed['value'])).toBe(envelope)
  })

  test('a clear file follows its field without a share from the device', async () => {
    expect(await person.put('passport', passport('P2'), [], { isClear: true })).toMatchObject({ status: 200 })
    await expect.poll(() => serveJson('id'), IN_TIME).toEqual({ encrypted: false, value: passport('P2') })
  })

  test('the file of a field that becomes private is sealed from then on', async () => {
    const missing = await person.put('passport', passport('P3'), [], { isPrivate: true })
    expect([missing.status, keyOf(missing)]).toEqual([400, 'contact_data.shares_incomplete'])
    const share = { service, connectionId: id, slug: 'id' }
    expect(await person.put('passport', passport('P3'), [share], { isPrivate: true })).toMatchObject({ status: 200 })
    await expect.poll(() => serveJson('id'), IN_TIME).toMatchObject({ encrypted: true })
    expect(await service.open((await serveJson('id'))['value'])).toBe(passport('P3'))
    expect(await service.read(id)).toMatchObject({ values_private: { id: true, face: false } })
  })

  test('a re-map replaces a file', async () => {
    const photo = Buffer.concat([PNG, PNG])
    const decisions = [
      { slug: 'face', file: { file: uri('image/png', photo) } },
      { slug: 'id', kind: 'linked', source: 'passport' },
    ] as const
    expect(await person.remap(service, id, decisions)).toMatchObject({ status: 200 })
    await expect.poll(async () => (await serve('face')).bytes, IN_TIME).toEqual(photo)
    const slugs = listOf((await person.connection(id))['mappings']).map(({ slug }) => String(slug))
    expect(slugs.toSorted()).toEqual(['face', 'id', 'paper'])
    expect(await person.disconnect(id)).toMatchObject({ status: 204 })
  })
})

describe('a file is refused:', () => {
  test.each([
    ['bytes that do not match the MIME type', { file: uri('image/png', PDF) }],
    ['not a picture', { file: uri('application/pdf', PDF) }],
    ['not a data URI', { file: 'https://example.com/a.png' }],
    ['nothing', {}],
  ])('%s', async (_, file) => {
    const answer = await person.connect(service, [{ slug: 'face', file }])
    expect([answer.status, keyOf(answer)]).toEqual([400, 'request.invalid'])
  })

  test('a typed document of several parts without an envelope, and an invalid envelope', async () => {
    for (const file of [{ file: uri('application/pdf', PDF) }, { envelope: JSON.stringify({ unknown: 'member' }) }]) {
      const answer = await person.connect(service, [{ slug: 'id', file }])
      expect([answer.status, keyOf(answer)]).toEqual([400, 'request.invalid'])
    }
  })

  test('a clear file of a private field', async () => {
    const file = { envelope: passport('P4') }
    const answer = await person.connect(service, [{ slug: 'id', kind: 'linked', source: 'passport', file }])
    expect([answer.status, keyOf(answer)]).toEqual([400, 'contact_data.encryption_required'])
  })

  test('a file above the size cap', async () => {
    const large = Buffer.concat([PNG, Buffer.alloc(6 * 1_048_576)])
    const answer = await person.connect(service, [{ slug: 'face', file: { file: uri('image/png', large) } }])
    expect([answer.status, keyOf(answer)]).toEqual([413, 'request.too_large'])
  })
})

test('a sealed document of the largest size reaches the service', async () => {
  const big = await world.service([{ slug: 'paper', type: 'document' }], { company: service.company })
  const content = Buffer.concat([PDF, Buffer.alloc(24 * 1_048_576)])
  const document = JSON.stringify({
    file: uri('application/pdf', content),
    original_name: 'big.pdf',
    mime_type: 'application/pdf',
    size: content.length,
  })
  const value = await big.seal(document)
  const connected = await person.connected(big, [{ slug: 'paper', file: { value } }])
  const { content_sha256 } = await slotOf(big, connected, 'paper')
  expect(content_sha256).toBe(sha256(JSON.stringify({ encrypted: true, value })))
})
