import { createHash } from 'node:crypto'
import { type ConnectionId, parseUuid } from '@sealpost/kernel'
import { membersOf, openWorld } from '@sealpost/testkit'
import { describe, expect, test } from 'vitest'
import { sweepGarbage } from '../../vault/index.ts'
import { changeSlots } from './operations/change-slots.ts'
import { tidyServiceSide } from './operations/tidy.ts'

const DAY_MS = 86_400_000
const DIGEST = 'x-platform-content-sha256'
const JPEG = Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 16, 0x4a, 0x46, 0x49, 0x46, 0, 1])
const PDF = Buffer.from('%PDF-1.7 nothing more')
const BINARY = [
  'photo',
  'document',
  'pdf_document',
  'legal_document',
  'proof_of_identity',
  'passport',
  'photo_id',
  'drivers_license',
  'residence_permit',
]

function uri(type: string, bytes: Buffer): string {
  return `data:${type};base64,${bytes.toString('base64')}`
}

function photo(bytes = JPEG): string {
  return JSON.stringify({ full: uri('image/jpeg', bytes) })
}

const passport = JSON.stringify({
  pages: [
    { file: uri('image/jpeg', JPEG), label: 'front' },
    { file: uri('image/jpeg', JPEG), label: 'back' },
  ],
  name: 'Mara Example',
  document_number: 'P123',
  expiry_date: '2031-05-06',
  issuing_country: 'NL',
})

/** Clear: what a person publishes. */
const PUBLIC = { isPrivate: false, isClear: true }

const world = await openWorld({ own: true })
const service = await world.service([
  { slug: 'face', type: 'photo' },
  { slug: 'id_paper', type: 'legal_document' },
  { slug: 'secret_face', type: 'photo' },
  { slug: 'proof', type: 'pdf_document', one_time: true },
  { slug: 'note' },
])
const { company } = service
const person = await world.person()
expect(await person.put('photo', photo(), [], PUBLIC)).toMatchObject({ status: 200 })
expect(await person.put('passport', passport, [], PUBLIC)).toMatchObject({ status: 200 })
const pdf = { file: uri('application/pdf', PDF), original_name: 'proof.pdf', mime_type: 'application/pdf' }
const sealedPdf = await service.seal(JSON.stringify({ ...pdf, size: PDF.length }))
const id = await person.connected(service, [
  { slug: 'face', kind: 'linked', source: 'photo' },
  { slug: 'id_paper', kind: 'linked', source: 'passport' },
  { slug: 'secret_face', file: { value: await service.seal(photo()) } },
  { slug: 'proof', kind: 'one_time', file: { value: sealedPdf } },
  { slug: 'note', text: 'hello' },
])

async function readValue(slug: string): Promise<Record<string, unknown>> {
  return membersOf(membersOf((await service.read(id))?.['values'])[slug])
}

function urlOf(slug: string, connectionId = id, from = service): string {
  return `/api/company-data/connections/${connectionId}/slots/${from.row(slug)}/file`
}

function digestOf(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex')
}

function jsonOf(bytes: Buffer): Record<string, unknown> {
  return membersOf(JSON.parse(bytes.toString()))
}

function keyIn(bytes: Buffer): unknown {
  return jsonOf(bytes)['error_key']
}

/** JSON, and the same bytes for all of them. */
function expectRefused(key: string, answers: readonly Awaited<ReturnType<typeof service.download>>[]): void {
  for (const { status, bytes, headers } of answers) {
    const type = headers.get('content-type')
    expect([status, keyIn(bytes), type]).toEqual([404, key, 'application/json; charset=utf-8'])
  }
  expect(new Set(answers.map(({ bytes }) => bytes.toString())).size).toBe(1)
}

describe('a file value', () => {
  test('has a URL and a digest instead of a value, for every binary type [FILE-01] [CONN-07]', async () => {
    const fields = BINARY.map((type) => ({ slug: type, type }))
    const all = await world.service(fields, { company })
    const file = { value: await all.seal('the content that the device sealed') }
    const decisions = BINARY.map((slug) => ({ slug, file }))
    const connected = await person.connected(all, decisions)
    const values = membersOf((await all.read(connected))?.['values'])
    for (const slug of BINARY) {
      const value = values[slug]
      const value_url = urlOf(slug, connected, all)
      expect(value).toMatchObject({ value_url, content_sha256: expect.stringMatching(/^[0-9a-f]{64}$/), live: true })
      expect(value).not.toHaveProperty('value')
    }
  })

  test('is served at its URL with the digest of exactly these bytes [FILE-03] [FILE-09]', async () => {
    for (const slug of ['face', 'id_paper', 'secret_face', 'proof']) {
      const { value_url, content_sha256 } = await readValue(slug)
      expect(value_url).toBe(urlOf(slug))
      const { status, headers, bytes } = await service.download(String(value_url))
      expect(status).toBe(200)
      expect([headers.get(DIGEST), content_sha256]).toEqual([digestOf(bytes), digestOf(bytes)])
      expect(headers.get('content-length')).toBe(String(bytes.length))
      expect(headers.get('content-encoding')).toBeNull()
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      expect(headers.get('content-disposition')).toBe('attachment')
    }
  })

  test('is sealed if it comes from a private field [FILE-05]', async () => {
    const { headers, bytes } = await service.download(urlOf('secret_face'))
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8')
    const body = jsonOf(bytes)
    expect(body).toEqual({ encrypted: true, value: expect.any(String) })
    expect(await service.open(body['value'])).toBe(photo())
  })

  test('is a clear envelope if its type has several pages or metadata [FILE-06] [FILE-07] [FTYPE-28]', async () => {
    const { headers, bytes } = await service.download(urlOf('id_paper'))
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8')
    const body = jsonOf(bytes)
    expect(body).toEqual({ encrypted: false, value: expect.any(String) })
    expect(JSON.parse(String(body['value']))).toEqual(JSON.parse(passport))
  })

  test('is served raw with its own content type for all other types [FILE-08]', async () => {
    const { headers, bytes } = await service.download(urlOf('face'))
    expect(headers.get('content-type')).toBe('image/jpeg')
    expect(bytes.equals(JPEG)).toBe(true)
  })

  test('follows an edit: an event with its URL, and the new bytes at that URL', async () => {
    await service.events(1)
    const fresh = Buffer.concat([JPEG, Buffer.from([7])])
    expect(await person.put('photo', photo(fresh), [], PUBLIC)).toMatchObject({ status: 200 })
    const [updated] = await service.events(1)
    expect(updated).toMatchObject({
      event: 'field_updated',
      slug: 'face',
      type: 'photo',
      value_url: urlOf('face'),
    })
    expect(updated).not.toHaveProperty('value')
    expect((await service.download(urlOf('face'))).bytes.equals(fresh)).toBe(true)
  })
})

describe('the file route answers no file', () => {
  const unknownId = '019a0000-0000-7000-8000-00000000dead'

  test('with one 404 for text and an unknown slot', async () => {
    const paths = [urlOf('note'), `/api/company-data/connections/${id}/slots/${unknownId}/file`]
    expectRefused('company_data.file_not_found', await Promise.all(paths.map((path) => service.download(path))))
  })

  test('with another 404 for an unknown connection and one of another service', async () => {
    const sibling = await world.service([], { company })
    const unknown = `/api/company-data/connections/${unknownId}/slots/${service.row('face')}/file`
    const answers = [await service.download(unknown), await sibling.download(urlOf('face'))]
    expectRefused('company_data.connection_not_found', answers)
  })

  test('for a removed request row', async () => {
    const passing = await world.service([{ slug: 'face', type: 'photo' }], { company })
    const connected = await person.connected(passing, [{ slug: 'face', file: { value: await passing.seal(photo()) } }])
    const path = urlOf('face', connected, passing)
    expect((await passing.download(path)).status).toBe(200)
    await passing.publish([])
    expect(keyIn((await passing.download(path)).bytes)).toBe('company_data.file_not_found')
  })

  test('without a token', async () => {
    expect((await world.anonymous('GET', urlOf('face'))).status).toBe(401)
  })
})

test('a file that the region of its customer no longer has counts as deleted', async () => {
  const other = await world.service([{ slug: 'face', type: 'photo' }], { company })
  const connected = await person.connected(other, [{ slug: 'face', file: { value: await other.seal(photo()) } }])
  await other.events(1)
  const { service: context } = world.eu.modules.connections
  const file = { form: 'sealed', content_type: 'application/json', sha256: '0'.repeat(64), bytes: 9 } as const
  const answer = {
    request_field_id: other.row('face'),
    rev: world.clock.now() + 1000,
    live: true,
    is_private: true,
    value: null,
    file,
    attested: null,
    at: world.time(),
  }
  const { serviceId } = other
  const { companyId } = company
  const connectionId = parseUuid<ConnectionId>(connected) ?? expect.fail()
  const changes = [{ act: 'set', cause: 'edit', answer }] as const
  const received = { companyId, serviceId, connectionId, region: 'us', changes, attachment: null }
  await context.database.transaction((tx) => changeSlots(context, tx, received))
  expect(await other.events(1)).toMatchObject([{ event: 'field_deleted', slug: 'face' }])
  expect(keyIn((await other.download(urlOf('face', connected, other))).bytes)).toBe('company_data.file_not_found')
})

describe('a file that was shared once', () => {
  test('expires after 90 days by the clock and answers 410 with its digest then [FILE-10]', async () => {
    const { content_sha256 } = await readValue('proof')
    const url = urlOf('proof')
    world.clock.advance(90 * DAY_MS - 60_000)
    expect((await service.download(url)).status).toBe(200)
    expect(await readValue('proof')).not.toHaveProperty('expired')
    world.clock.advance(120_000)
    const { status, headers, bytes } = await service.download(url)
    const body = jsonOf(bytes)
    expect(status).toBe(410)
    expect(body).toMatchObject({
      error_key: 'company_data.file_expired',
      content_sha256,
      expired_at: expect.any(String),
    })
    expect(headers.get(DIGEST)).toBe(content_sha256)
    expect(await readValue('proof')).toMatchObject({
      expired: true,
      expired_at: body['expired_at'],
      content_sha256,
      value_url: url,
    })
  })

  test('is removed from the store by the upkeep; its digest stays', async () => {
    await tidyServiceSide(world.eu.modules.connections.service)
    const expiring = `select object_key as key from connections_service.slot
      where service_id = $1 and expires_at is not null`
    expect(await world.rows(expiring, [service.serviceId])).toEqual([{ key: null }])
    const { status, headers } = await service.download(urlOf('proof'))
    expect([status, headers.get(DIGEST)]).toEqual([410, (await readValue('proof'))['content_sha256']])
    // Both files are referenced, one by the connect and one by an edit, so a sweep keeps them.
    while ((await sweepGarbage(world.eu.modules.vault, 100)) > 0);
    for (const slug of ['id_paper', 'face']) expect((await service.download(urlOf(slug))).status).toBe(200)
  })
})
