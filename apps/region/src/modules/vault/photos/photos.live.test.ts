import { createHash } from 'node:crypto'
import { jpegOf, plainPng, webpOf, withExif } from '@sealpost/images/testing'
import type { UserId } from '@sealpost/kernel'
import type { ObjectKey, Sha256 } from '@sealpost/objects'
import { runStatement, withAnswerStore } from '@sealpost/postgres'
import {
  type Answer,
  type Calls,
  callsWith,
  keyOf,
  newOwner,
  northwind,
  type Office,
  openAccountClient,
  openOffice,
  waitUntil,
} from '@sealpost/testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { platformFields } from '../../registry/index.ts'
import { sweepGarbage } from '../garbage/index.ts'
import { addPhoto, findPhotos, readCardPhoto } from './operations/photos.ts'
import { insertPhoto } from './store/photos.ts'

const PATH = '/api/photos'
const MISSING = '019a0000-0000-7000-8000-00000000dead'
/** Each photo starts a process. */
const patience = { timeout: 60_000 }
let office: Office
let portal: Calls
let person: Calls
let otherCompany: Calls

beforeAll(async () => {
  office = await openOffice({ RATE_DATA: '60000', PHOTO_MAX_MB: '1' })
  portal = callsWith(office.northwind.apiUrl, office.northwind.token)
  person = callsWith(office.mara.apiUrl, office.mara.token)
  otherCompany = callsWith(office.harborline.apiUrl, office.harborline.token)
})
afterAll(() => office.close())

const uri = (bytes: Buffer, type = 'image/jpeg'): string => `data:${type};base64,${bytes.toString('base64')}`
const add = (calls: Calls, bytes: Buffer, type?: string): Promise<Answer> =>
  calls('POST', PATH, { body: { file: uri(bytes, type) } })

async function fileOf(apiUrl: string, token: string, id: unknown, headers: Record<string, string> = {}) {
  const answer = await fetch(`${apiUrl}${PATH}/${String(id)}/file`, {
    headers: { authorization: `Bearer ${token}`, ...headers },
  })
  return { status: answer.status, headers: answer.headers, bytes: Buffer.from(await answer.arrayBuffer()) }
}

describe('a photo', patience, () => {
  test('is redrawn and stored, and read by its owner, in either region', async () => {
    for (const [calls, { apiUrl, token }] of [
      [portal, office.northwind],
      [person, office.mara],
    ] as const) {
      const uploaded = withExif(jpegOf(300, 200), 6)
      const made = await add(calls, uploaded)
      expect(made).toMatchObject({ status: 201, body: { mime_type: 'image/jpeg', width: 200, height: 300 } })
      const file = await fileOf(apiUrl, token, made.body['id'])
      expect(file.status).toBe(200)
      expect(file.headers.get('content-type')).toBe('image/jpeg')
      expect(file.headers.get('x-content-type-options')).toBe('nosniff')
      expect(file.bytes.length).toBe(made.body['size'])
      expect(createHash('sha256').update(file.bytes).digest('hex')).toBe(made.body['content_sha256'])
      expect(file.bytes.includes('Exif')).toBe(false)
      const { body } = await calls('GET', PATH)
      expect(body['items']).toEqual([made.body])
      expect(body['total']).toBe(1)
    }
  })

  test('answers 304 to the matching ETag', async () => {
    const { apiUrl, token } = office.northwind
    const { id } = ((await portal('GET', PATH)).body['items'] as { id: string }[])[0] ?? {}
    const tag = (await fileOf(apiUrl, token, id)).headers.get('etag') ?? ''
    const again = await fileOf(apiUrl, token, id, { 'if-none-match': tag })
    expect([again.status, again.bytes.length]).toEqual([304, 0])
  })

  test('may be a PNG or a WebP, whatever type the data URI states', async () => {
    for (const [bytes, type] of [
      [plainPng(20, 10), 'image/png'],
      [webpOf(20, 10), 'text/html'],
    ] as const) {
      expect(await add(portal, bytes, type)).toMatchObject({
        status: 201,
        body: { mime_type: 'image/jpeg', width: 20 },
      })
    }
  })

  test('and the business card are in plaintext for an account client with the capability [ACCT-06]', async () => {
    const { apiUrl, token } = await openAccountClient(office.two, office.northwind, ['company_profile_fields'])
    const client = callsWith(apiUrl, token)
    const website = platformFields.find(({ slug }) => slug === 'website')?.id
    const card = { value: 'https://northwind.example' }
    expect((await client('PUT', `/api/contact-data/${website}`, { body: card })).status).toBe(200)
    expect((await portal('GET', `/api/contact-data/${website}`)).body).toMatchObject(card)
    const made = await add(client, jpegOf(30, 30))
    expect(made.status).toBe(201)
    expect((await portal('GET', PATH)).body['items']).toContainEqual(made.body)
    expect((await fileOf(apiUrl, token, made.body['id'])).bytes.subarray(0, 3)).toEqual(Buffer.from([0xff, 0xd8, 0xff]))
    expect((await client('DELETE', `${PATH}/${String(made.body['id'])}`)).status).toBe(204)
  })

  test('is refused without the capability or a login', async () => {
    const bare = await openAccountClient(office.two, office.northwind, ['service_management'])
    const service = callsWith(office.northwind.apiUrl, await office.two.token(northwind))
    for (const calls of [callsWith(bare.apiUrl, bare.token), service]) {
      const refused = await add(calls, jpegOf(10, 10))
      expect([refused.status, keyOf(refused)]).toEqual([403, 'auth.client_endpoint_forbidden'])
    }
    const anonymous = await add(callsWith(bare.apiUrl, null), jpegOf(10, 10))
    expect([anonymous.status, keyOf(anonymous)]).toEqual([401, 'auth.token_missing'])
  })

  test('is made once for one Idempotency-Key', async () => {
    const sent = { body: { file: uri(jpegOf(12, 12)) }, key: 'photo-once' }
    const [first, second] = [await portal('POST', PATH, sent), await portal('POST', PATH, sent)]
    expect([first.status, second.text]).toEqual([201, first.text])
  })

  test('is listed in pages', async () => {
    const all = (await portal('GET', PATH)).body['items'] as { id: string }[]
    expect(all.length).toBeGreaterThan(2)
    const first = (await portal('GET', `${PATH}?limit=2`)).body
    const rest = (await portal('GET', `${PATH}?cursor=${String(first['next_cursor'])}`)).body
    expect([...(first['items'] as object[]), ...(rest['items'] as object[])]).toEqual(all)
    expect(rest['next_cursor']).toBeNull()
    expect((await portal('GET', `${PATH}?cursor=nonsense`)).status).toBe(400)
  })
})

describe('POST /api/photos refuses', patience, () => {
  test.each([
    ['no data URI', 'https://example.com/a.jpg', 400, 'request.invalid'],
    ['a data URI without base64', 'data:image/jpeg,abc', 400, 'request.invalid'],
    ['broken base64', 'data:image/jpeg;base64,/9j/4A*Q', 400, 'request.invalid'],
    ['no bytes', 'data:image/jpeg;base64,', 400, 'request.invalid'],
    ['an HTML page', uri(Buffer.from('<html><script>')), 415, 'request.unsupported_media_type'],
    ['a GIF', uri(Buffer.from('GIF89a0000000000')), 415, 'request.unsupported_media_type'],
    ['a truncated JPEG', uri(jpegOf(40, 40).subarray(0, 300)), 400, 'request.invalid'],
    ['more than the setting allows', uri(Buffer.alloc(1_048_577, 1)), 413, 'request.too_large'],
    ['more than a body may have', uri(Buffer.alloc(13_000_000, 1)), 413, 'request.too_large'],
  ])('%s', async (_, file, status, key) => {
    const refused = await portal('POST', PATH, { body: { file } })
    expect([refused.status, keyOf(refused)]).toEqual([status, key])
    expect(String(refused.body['error'])).not.toBe('')
  })
})

describe('a photo that is removed', patience, () => {
  test('answers 404 at once; upkeep removes its objects', async () => {
    const { platform } = office.two.eu
    const made = await add(portal, jpegOf(40, 40))
    const path = `${PATH}/${String(made.body['id'])}`
    const keys = await keysOf(made.body['id'])
    expect((await portal('DELETE', path)).status).toBe(204)
    for (const gone of [await portal('DELETE', path), await portal('GET', `${path}/file`)]) {
      expect([gone.status, keyOf(gone)]).toEqual([404, 'request.not_found'])
    }
    // The objects stay for readers that opened them before.
    await sweepGarbage(platform, 1000)
    for (const key of keys) expect((await platform.objects.head(key)).ok).toBe(true)
    office.two.clock.advance(11 * 60_000)
    await sweepGarbage(platform, 1000)
    for (const key of keys) expect((await platform.objects.head(key)).ok).toBe(false)
  })

  test('by another account answers the same 404 as a missing one', async () => {
    const made = await add(portal, jpegOf(40, 40))
    for (const calls of [otherCompany, person]) {
      for (const [method, tail] of [
        ['GET', '/file'],
        ['DELETE', ''],
      ] as const) {
        const [theirs, missing] = await Promise.all(
          [String(made.body['id']), MISSING].map((id) => calls(method, `${PATH}/${id}${tail}`)),
        )
        expect([theirs?.status, theirs?.text]).toEqual([404, missing?.text])
      }
    }
    const { platform } = office.two.eu
    expect(
      await platform.database.read((read) => findPhotos(read, northwind.companyId, [String(made.body['id'])])),
    ).toHaveLength(1)
  })

  test('with its account leaves neither a row nor an object', async () => {
    const { platform } = office.two.us
    const owner = await newOwner(office.two, { region: 'us' })
    const made = await add(callsWith(owner.apiUrl, owner.token), jpegOf(40, 40))
    const find = () => platform.database.read((read) => findPhotos(read, owner.user.userId, [String(made.body['id'])]))
    const [photo] = await find()
    await office.two.us.operations.eraseAccount(owner.user.userId)
    expect(await find()).toEqual([])
    office.two.clock.advance(11 * 60_000)
    await sweepGarbage(platform, 1000)
    expect((await platform.objects.head(photo?.full.objectKey ?? ('' as ObjectKey))).ok).toBe(false)
  })
})

test('a card photo is the small picture, and only of the account that owns it', patience, async () => {
  const { platform } = office.two.eu
  const made = await add(portal, jpegOf(900, 600))
  const id = String(made.body['id'])
  const card = await readCardPhoto(platform, northwind.companyId, id)
  expect(card?.contentType).toBe('image/jpeg')
  expect(card?.bytes.length).toBeLessThanOrEqual(128 * 1024)
  const mara = String((await person('GET', '/api/account')).body['id'])
  expect(await readCardPhoto(platform, mara as never, id)).toBeNull()
  expect(await readCardPhoto(platform, northwind.companyId, 'nonsense')).toBeNull()
})

test('the objects of a photo that was refused after storing are removed an hour later', patience, async () => {
  const { platform } = office.two.us
  const owner = await newOwner(office.two, { region: 'us' })
  await fillWithPhotos(owner.user.userId)
  const refused = await add(callsWith(owner.apiUrl, owner.token), jpegOf(40, 40))
  expect([refused.status, keyOf(refused)]).toEqual([400, 'request.invalid'])
  const waiting = await garbageOf('us')
  expect(waiting).toHaveLength(2)
  for (const key of waiting) expect((await platform.objects.head(key)).ok).toBe(true)
  office.two.clock.advance(3_600_001)
  await sweepGarbage(platform, 1000)
  expect(await garbageOf('us')).toEqual([])
  for (const key of waiting) expect((await platform.objects.head(key)).ok).toBe(false)
})

test('of two concurrent photos for the last place, one is refused', patience, async () => {
  const { platform } = office.two.us
  const owner = await newOwner(office.two, { region: 'us' })
  await fillWithPhotos(owner.user.userId, 99)
  const [stored, finish] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const delayCommit = async (): Promise<void> => {
    stored.resolve()
    await finish.promise
  }
  const first = withAnswerStore(delayCommit, () =>
    addPhoto(office.two.us.modules.vault, owner.user.userId, uri(jpegOf(8, 8))),
  )
  await stored.promise
  let isOver = false
  const second = add(callsWith(owner.apiUrl, owner.token), jpegOf(9, 9)).finally(() => {
    isOver = true
  })
  const waits = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  await waitUntil('the second call waits for the lock or has ended', 30_000, async () => {
    return isOver || (await platform.database.read((read) => runStatement(read, waits, []))).length > 0
  })
  finish.resolve()
  await first
  const answer = await second
  expect([answer.status, keyOf(answer)]).toEqual([400, 'request.invalid'])
})

/** By default as many as an account may have. */
async function fillWithPhotos(accountId: UserId, photos = 100): Promise<void> {
  const { database, ids } = office.two.us.platform
  const picture = { objectKey: 'none' as ObjectKey, sha256: 'none' as Sha256, bytes: 1, width: 1, height: 1 }
  const createdAt = office.two.clock.now()
  await database.transaction(async (tx) => {
    for (let count = 0; count < photos; count += 1)
      await insertPhoto(tx, { accountId, id: ids.uuid(), full: picture, card: picture, createdAt })
  })
}

async function garbageOf(region: 'eu' | 'us'): Promise<readonly ObjectKey[]> {
  const { database } = office.two[region].platform
  const sql = 'select object_key from vault.garbage'
  const rows = await database.read((read) => runStatement<{ object_key: ObjectKey }>(read, sql, []))
  return rows.map((row) => row.object_key)
}

async function keysOf(id: unknown): Promise<readonly ObjectKey[]> {
  const photos = await office.two.eu.platform.database.read((read) =>
    findPhotos(read, northwind.companyId, [String(id)]),
  )
  return photos.flatMap(({ full, card }) => [full.objectKey, card.objectKey])
}
