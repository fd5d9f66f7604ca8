import { createHash } from 'node:crypto'
import { runStatement } from '@sealpost/postgres'
import {
  clientCalls,
  connectTo,
  demand,
  drainEvents,
  fetchFile,
  newShopper,
  openSealed,
  openShop,
  openShopService,
  type Owner,
  publishRows,
  rowIdOf,
  sealTo,
  setField,
  type Shop,
  startTwoRegions,
  type TwoRegions,
} from '@sealpost/testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sweepGarbage } from '../../vault/index.ts'
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

let two: TwoRegions
let shop: Shop
let person: Owner
let id: string

beforeAll(async () => {
  two = await startTwoRegions({
    RATE_TOKEN: '6000',
    RATE_DATA: '6000',
    RATE_CHANGES: '6000',
    RATE_LOGIN_ACCOUNT: '6000',
  })
  shop = await openShop(two, [
    { slug: 'face', type: 'photo' },
    { slug: 'id_paper', type: 'legal_document' },
    { slug: 'secret_face', type: 'photo' },
    { slug: 'proof', type: 'pdf_document', one_time: true },
    { slug: 'note', type: 'text' },
  ])
  person = await newShopper(two)
  await setField(person, 'photo', { text: photo(), isPrivate: false, isClear: true })
  await setField(person, 'passport', { text: passport, isPrivate: false, isClear: true })
  const sealed = await sealTo(shop.service.publicKey, photo())
  const pdf = {
    file: uri('application/pdf', PDF),
    original_name: 'proof.pdf',
    mime_type: 'application/pdf',
    size: PDF.length,
  }
  id = await connectTo(shop, person, [
    { slug: 'face', kind: 'linked', source: 'photo' },
    { slug: 'id_paper', kind: 'linked', source: 'passport' },
    { slug: 'secret_face', file: { value: sealed } },
    { slug: 'proof', kind: 'one_time', file: { value: await sealTo(shop.service.publicKey, JSON.stringify(pdf)) } },
    { slug: 'note', text: 'hello' },
  ])
})
afterAll(() => two.close())

async function readValue(slug: string, connection = id) {
  const { values } = await demand(shop.data('GET', `/api/company-data/connections/${connection}`))
  return (values as Record<string, Record<string, unknown>>)[slug] ?? {}
}

async function urlOf(slug: string): Promise<string> {
  return `/api/company-data/connections/${id}/slots/${await rowIdOf(shop, slug)}/file`
}

function digestOf(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex')
}

function keyIn(bytes: Buffer): unknown {
  return (JSON.parse(bytes.toString()) as Record<string, unknown>)['error_key']
}

describe('a file value', () => {
  test('has a URL and a digest instead of a value, for every binary type [FILE-01] [CONN-07]', async () => {
    const all = await openShopService(
      two,
      shop.company,
      shop.portal,
      BINARY.map((type) => ({ slug: type, type })),
    )
    const file = { value: await sealTo(all.service.publicKey, 'the content that the device sealed') }
    const connected = await connectTo(
      all,
      await newShopper(two),
      BINARY.map((slug) => ({ slug, file })),
    )
    const { values } = await demand(all.data('GET', `/api/company-data/connections/${connected}`))
    for (const slug of BINARY) {
      const value = (values as Record<string, object>)[slug]
      const value_url = `/api/company-data/connections/${connected}/slots/${await rowIdOf(all, slug)}/file`
      expect(value).toMatchObject({ value_url, content_sha256: expect.stringMatching(/^[0-9a-f]{64}$/), live: true })
      expect(value).not.toHaveProperty('value')
    }
  })

  test('is served at its URL with the digest of exactly these bytes [FILE-03] [FILE-09]', async () => {
    for (const slug of ['face', 'id_paper', 'secret_face', 'proof']) {
      const { value_url, content_sha256 } = await readValue(slug)
      expect(value_url).toBe(await urlOf(slug))
      const { status, headers, bytes } = await fetchFile(shop, String(value_url))
      expect(status).toBe(200)
      expect([headers.get(DIGEST), content_sha256]).toEqual([digestOf(bytes), digestOf(bytes)])
      expect(headers.get('content-length')).toBe(String(bytes.length))
      expect(headers.get('content-encoding')).toBeNull()
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      expect(headers.get('content-disposition')).toBe('attachment')
    }
  })

  test('is sealed if it comes from a private field [FILE-05]', async () => {
    const { headers, bytes } = await fetchFile(shop, await urlOf('secret_face'))
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8')
    const body = JSON.parse(bytes.toString()) as Record<string, unknown>
    expect(body).toEqual({ encrypted: true, value: expect.any(String) })
    expect(await openSealed(shop, body['value'])).toBe(photo())
  })

  test('is a clear envelope if its type has several pages or metadata [FILE-06] [FILE-07] [FTYPE-28]', async () => {
    const { headers, bytes } = await fetchFile(shop, await urlOf('id_paper'))
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8')
    const body = JSON.parse(bytes.toString()) as Record<string, unknown>
    expect(body).toEqual({ encrypted: false, value: expect.any(String) })
    expect(JSON.parse(String(body['value']))).toEqual(JSON.parse(passport))
  })

  test('is served raw with its own content type for all other types [FILE-08]', async () => {
    const { headers, bytes } = await fetchFile(shop, await urlOf('face'))
    expect(headers.get('content-type')).toBe('image/jpeg')
    expect(bytes.equals(JPEG)).toBe(true)
  })

  test('follows an edit: an event with its URL, and the new bytes at that URL', async () => {
    await drainEvents(shop, 1)
    const fresh = Buffer.concat([JPEG, Buffer.from([7])])
    await setField(person, 'photo', { text: photo(fresh), isPrivate: false, isClear: true })
    const [updated] = await drainEvents(shop, 1)
    expect(updated).toMatchObject({
      event: 'field_updated',
      slug: 'face',
      type: 'photo',
      value_url: await urlOf('face'),
    })
    expect(updated).not.toHaveProperty('value')
    expect((await fetchFile(shop, await urlOf('face'))).bytes.equals(fresh)).toBe(true)
  })
})

describe('the file route answers no file', () => {
  test('with the same 404 for text, an unknown slot, an unknown connection and another service', async () => {
    const sibling = await openShopService(two, shop.company, shop.portal)
    const unknownId = '019a0000-0000-7000-8000-00000000dead'
    const paths = [
      await urlOf('note'),
      `/api/company-data/connections/${id}/slots/${unknownId}/file`,
      `/api/company-data/connections/${unknownId}/slots/${await rowIdOf(shop, 'face')}/file`,
    ]
    const answers = await Promise.all(paths.map((path) => fetchFile(shop, path)))
    answers.push(await fetchFile(sibling, await urlOf('face')))
    for (const { status, bytes, headers } of answers) {
      expect([status, keyIn(bytes), headers.get('content-type')]).toEqual([
        404,
        'company_data.file_not_found',
        'application/json; charset=utf-8',
      ])
    }
    expect(new Set(answers.map(({ bytes }) => bytes.toString())).size).toBe(1)
  })

  test('for a removed request row', async () => {
    const passing = await openShopService(two, shop.company, shop.portal, [{ slug: 'face', type: 'photo' }])
    const file = { value: await sealTo(passing.service.publicKey, photo()) }
    const connected = await connectTo(passing, await newShopper(two), [{ slug: 'face', file }])
    const path = `/api/company-data/connections/${connected}/slots/${await rowIdOf(passing, 'face')}/file`
    expect((await fetchFile(passing, path)).status).toBe(200)
    await publishRows(passing, [])
    expect(keyIn((await fetchFile(passing, path)).bytes)).toBe('company_data.file_not_found')
  })

  test('without a token', async () => {
    expect((await fetch(`${two.eu.url}${await urlOf('face')}`)).status).toBe(401)
  })
})

describe('a file that was shared once', () => {
  test('expires after 90 days by the clock and answers 410 with its digest then [FILE-10]', async () => {
    const { content_sha256 } = await readValue('proof')
    const url = await urlOf('proof')
    two.clock.advance(90 * DAY_MS - 60_000)
    shop = { ...shop, data: await clientCalls(two, shop.client.clientId, shop.client.clientSecret) }
    expect((await fetchFile(shop, url)).status).toBe(200)
    expect(await readValue('proof')).not.toHaveProperty('expired')
    two.clock.advance(120_000)
    const { status, headers, bytes } = await fetchFile(shop, url)
    const body = JSON.parse(bytes.toString()) as Record<string, unknown>
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
    const objectKeys = () =>
      two.eu.platform.database.read((read) =>
        runStatement<{ key: string | null }>(
          read,
          'select object_key as key from connections_service.slot where service_id = $1 and expires_at is not null',
          [shop.service.serviceId],
        ),
      )
    await tidyServiceSide(two.eu.modules.connections.service)
    expect(await objectKeys()).toEqual([{ key: null }])
    const { status, headers } = await fetchFile(shop, await urlOf('proof'))
    expect([status, headers.get(DIGEST)]).toEqual([410, (await readValue('proof'))['content_sha256']])
    // Both files are referenced, one by the connect and one by an edit, so a sweep keeps them.
    while ((await sweepGarbage(two.eu.modules.vault, 100)) > 0);
    for (const slug of ['id_paper', 'face']) expect((await fetchFile(shop, await urlOf(slug))).status).toBe(200)
  })
})
