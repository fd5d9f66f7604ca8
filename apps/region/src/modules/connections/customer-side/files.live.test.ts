import { createHash } from 'node:crypto'
import {
  demand,
  type Desk,
  keyOf,
  listOf,
  membersOf,
  openCustomer,
  openDesk,
  startWithoutLimits,
  type TestCustomer,
  type TwoRegions,
  waitUntil,
} from '@sealpost/testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1, 2, 3])
const PDF = Buffer.from('%PDF-1.7 a very small one')
const uri = (mime: string, bytes: Buffer) => `data:${mime};base64,${bytes.toString('base64')}`
const passport = (number: string) =>
  JSON.stringify({
    pages: [{ file: uri('image/png', PNG), label: 'front' }],
    document_number: number,
    issuing_country: 'NL',
  })

let two: TwoRegions
let person: TestCustomer
let desk: Desk

beforeAll(async () => {
  two = await startWithoutLimits()
  person = await openCustomer(two)
  desk = await openDesk(two, [
    { slug: 'face', type: 'photo' },
    { slug: 'id', type: 'legal_document' },
    { slug: 'paper', type: 'document', one_time: true },
  ])
})
afterAll(() => two.close())

interface Served {
  readonly type: string | null
  readonly bytes: Buffer
}

/** The file that the service downloads, with its digest verified; null while there is none. */
async function serve(connectionId: string, slug: string): Promise<Served | null> {
  const entry = membersOf(membersOf((await desk.read(connectionId))?.['values'])[slug])
  if (typeof entry['value_url'] !== 'string') return null
  const token = await desk.token()
  const answer = await fetch(`${two.eu.url}${entry['value_url']}`, { headers: { authorization: `Bearer ${token}` } })
  const bytes = Buffer.from(await answer.arrayBuffer())
  expect(answer.headers.get('x-platform-content-sha256')).toBe(createHash('sha256').update(bytes).digest('hex'))
  return { type: answer.headers.get('content-type'), bytes }
}

async function serveJson(connectionId: string, slug: string): Promise<Record<string, unknown>> {
  const served = await serve(connectionId, slug)
  return membersOf(served === null ? {} : JSON.parse(served.bytes.toString()))
}

describe('files at connect', () => {
  let id: string

  test('sealed, clear and raw files are served with exactly the bytes that were built', async () => {
    await demand(
      person.calls('PUT', `/api/contact-data/${person.field('passport')}`, {
        body: { value: passport('P1'), is_private: false },
      }),
      200,
    )
    const envelope = JSON.stringify({ file: uri('application/pdf', PDF), original_name: 'a.pdf' })
    id = await person.connected(desk, [
      {
        request_field_id: desk.row('face'),
        kind: 'typed',
        file: { file: uri('image/png', PNG), original_name: 'a.png' },
      },
      { request_field_id: desk.row('id'), kind: 'linked', source_field_id: person.field('passport') },
      { request_field_id: desk.row('paper'), kind: 'one_time', file: { value: await desk.seal(envelope) } },
    ])
    expect(await serve(id, 'face')).toEqual({ type: 'image/png', bytes: PNG })
    expect(await serveJson(id, 'id')).toEqual({ encrypted: false, value: passport('P1') })
    const sealed = await serveJson(id, 'paper')
    expect(sealed['encrypted']).toBe(true)
    expect(await desk.open(sealed['value'])).toBe(envelope)
  })

  test('a clear file follows its field without a share from the device', async () => {
    await demand(
      person.calls('PUT', `/api/contact-data/${person.field('passport')}`, { body: { value: passport('P2') } }),
      200,
    )
    await waitUntil('the new passport is there', 15_000, async () => {
      return (await serveJson(id, 'id'))['value'] === passport('P2')
    })
  })

  test('the file of a field that becomes private is sealed from then on', async () => {
    const own = await person.sealToOneself(passport('P3'))
    const share = { connection_id: id, slug: 'id', value: await desk.seal(passport('P3')) }
    const at = `/api/contact-data/${person.field('passport')}`
    const missing = await person.calls('PUT', at, { body: { value: own, is_private: true } })
    expect([missing.status, keyOf(missing)]).toEqual([400, 'contact_data.shares_incomplete'])
    await demand(person.calls('PUT', at, { body: { value: own, is_private: true, shares: [share] } }), 200)
    await waitUntil(
      'the sealed passport is there',
      15_000,
      async () => (await serveJson(id, 'id'))['encrypted'] === true,
    )
    expect(await desk.open((await serveJson(id, 'id'))['value'])).toBe(passport('P3'))
    expect(await desk.read(id)).toMatchObject({ values_private: { id: true, face: false } })
  })

  test('a re-map replaces a file', async () => {
    const decisions = [
      {
        request_field_id: desk.row('face'),
        kind: 'typed',
        file: { file: uri('image/png', Buffer.concat([PNG, PNG])) },
      },
      { request_field_id: desk.row('id'), kind: 'linked', source_field_id: person.field('passport') },
    ]
    const path = `/api/company-connections/${id}/services/${id}/mappings`
    await demand(person.calls('PUT', path, { body: { decisions } }), 200)
    await waitUntil('the new photo is there', 15_000, async () => {
      return (await serve(id, 'face'))?.bytes.length === 2 * PNG.length
    })
    const { mappings } = await person.read(id)
    expect(
      listOf(mappings)
        .map(({ slug }) => String(slug))
        .toSorted(),
    ).toEqual(['face', 'id', 'paper'])
    await demand(person.calls('DELETE', `/api/company-connections/${id}`), 204)
  })
})

describe('a file is refused:', () => {
  const face = (file: unknown) => [{ request_field_id: desk.row('face'), kind: 'typed', file }]

  test.each([
    ['bytes that do not match the MIME type', { file: uri('image/png', PDF) }],
    ['not a picture', { file: uri('application/pdf', PDF) }],
    ['not a data URI', { file: 'https://example.com/a.png' }],
    ['nothing', {}],
  ])('%s', async (_, file) => {
    const answer = await person.connect(desk, face(file))
    expect([answer.status, keyOf(answer)]).toEqual([400, 'request.invalid'])
  })

  test('a typed document of several parts without an envelope, and an invalid envelope', async () => {
    const decide = (file: unknown) => [{ request_field_id: desk.row('id'), kind: 'typed', file }]
    for (const file of [{ file: uri('application/pdf', PDF) }, { envelope: JSON.stringify({ unknown: 'member' }) }]) {
      const answer = await person.connect(desk, decide(file))
      expect([answer.status, keyOf(answer)]).toEqual([400, 'request.invalid'])
    }
  })

  test('a clear file of a private field', async () => {
    const decision = {
      request_field_id: desk.row('id'),
      kind: 'linked',
      source_field_id: person.field('passport'),
      file: { envelope: passport('P4') },
    }
    const answer = await person.connect(desk, [decision])
    expect([answer.status, keyOf(answer)]).toEqual([400, 'contact_data.encryption_required'])
  })

  test('a file above the size cap', async () => {
    const large = Buffer.concat([PNG, Buffer.alloc(6 * 1_048_576)])
    const answer = await person.connect(desk, face({ file: uri('image/png', large) }))
    expect([answer.status, keyOf(answer)]).toEqual([413, 'request.too_large'])
  })
})

test('a sealed document of the largest size reaches the service', async () => {
  const big = await openDesk(two, [{ slug: 'paper', type: 'document' }])
  const envelope = JSON.stringify({
    file: uri('application/pdf', Buffer.concat([PDF, Buffer.alloc(24 * 1_048_576)])),
    original_name: 'big.pdf',
    mime_type: 'application/pdf',
    size: 24 * 1_048_576 + PDF.length,
  })
  const file = { value: await big.seal(envelope) }
  const id = await person.connected(big, [{ request_field_id: big.row('paper'), kind: 'typed', file }])
  const entry = membersOf(membersOf((await big.read(id))?.['values'])['paper'])
  expect(entry['content_sha256']).toEqual(
    createHash('sha256')
      .update(JSON.stringify({ encrypted: true, value: file.value }))
      .digest('hex'),
  )
}, 60_000)
