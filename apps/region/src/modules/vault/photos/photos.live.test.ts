import { createHash } from 'node:crypto'
import { jpegOf, plainPng, webpOf, withExif } from '@sealpost/images/testing'
import { withAnswerStore } from '@sealpost/postgres'
import { type Answer, type Calls, keyOf, type LoggedIn, openWorld, type Person, untilBlocked } from '@sealpost/testkit'
import { describe, expect, test } from 'vitest'
import { sweepGarbage } from '../garbage/index.ts'
import { addPhoto, findPhotos, readCardPhoto } from './operations/photos.ts'
import { insertPhoto } from './store/photos.ts'

type Picture = Parameters<typeof insertPhoto>[1]['full']
type ObjectKey = Picture['objectKey']

const PATH = '/api/photos'
const MISSING = '019a0000-0000-7000-8000-00000000dead'

const world = await openWorld({ settings: { PHOTO_MAX_MB: '1' } })
const { northwind, harborline, mara } = await world.personas()
const { portal } = northwind

const uri = (bytes: Buffer, type = 'image/jpeg'): string => `data:${type};base64,${bytes.toString('base64')}`
const add = (calls: Calls, bytes: Buffer, type?: string): Promise<Answer> =>
  calls('POST', PATH, { body: { file: uri(bytes, type) } })

type Caller = Pick<LoggedIn, 'apiUrl' | 'token'>

async function fileOf({ apiUrl, token }: Caller, id: unknown, more: Record<string, string> = {}) {
  const headers = { authorization: `Bearer ${token}`, ...more }
  const answer = await fetch(`${apiUrl}${PATH}/${String(id)}/file`, { headers })
  return { status: answer.status, headers: answer.headers, bytes: Buffer.from(await answer.arrayBuffer()) }
}

describe('a photo', () => {
  test('is redrawn and stored, and read by its owner, in either region', async () => {
    for (const account of [northwind, mara]) {
      const { calls } = account
      const uploaded = withExif(jpegOf(300, 200), 6)
      const made = await add(calls, uploaded)
      expect(made).toMatchObject({ status: 201, body: { mime_type: 'image/jpeg', width: 200, height: 300 } })
      const file = await fileOf(account, made.body['id'])
      expect(file.status).toBe(200)
      expect(file.headers.get('content-type')).toBe('image/jpeg')
      expect(file.headers.get('x-content-type-options')).toBe('nosniff')
      expect(file.bytes.length).toBe(made.body['size'])
      expect(createHash('sha256').update(file.bytes).digest('hex')).toBe(made.body['content_sha256'])
      expect(file.bytes.includes('Exif')).toBe(false)
      expect((await calls('GET', `${PATH}/${String(made.body['id'])}`)).body).toEqual(made.body)
      const { body } = await calls('GET', PATH)
      expect(body['items']).toEqual([made.body])
      expect(body['total']).toBe(1)
    }
  })

  test('answers 304 to the matching ETag', async () => {
    const { id } = ((await portal('GET', PATH)).body['items'] as { id: string }[])[0] ?? {}
    const tag = (await fileOf(northwind, id)).headers.get('etag') ?? ''
    const again = await fileOf(northwind, id, { 'if-none-match': tag })
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
    const accountClient = await northwind.accountClient(['company_profile_fields'])
    const { calls: client } = accountClient
    const website = northwind.field('website')
    const card = { value: 'https://northwind.example' }
    expect((await client('PUT', `/api/contact-data/${website}`, { body: card })).status).toBe(200)
    expect((await portal('GET', `/api/contact-data/${website}`)).body).toMatchObject(card)
    const made = await add(client, jpegOf(30, 30))
    expect(made.status).toBe(201)
    expect((await portal('GET', PATH)).body['items']).toContainEqual(made.body)
    const file = await fileOf(accountClient, made.body['id'])
    expect(file.bytes.subarray(0, 3)).toEqual(Buffer.from([0xff, 0xd8, 0xff]))
    expect((await client('DELETE', `${PATH}/${String(made.body['id'])}`)).status).toBe(204)
  })

  test('of another account answers like a missing one', async () => {
    const { id } = ((await portal('GET', PATH)).body['items'] as { id: string }[])[0] ?? {}
    const missing = await harborline.portal('GET', `${PATH}/${MISSING}`)
    expect([missing.status, keyOf(missing)]).toEqual([404, 'request.not_found'])
    expect((await harborline.portal('GET', `${PATH}/${String(id)}`)).text).toBe(missing.text)
  })

  test('is refused without the capability or a login', async () => {
    const bare = await northwind.accountClient(['service_management'])
    for (const calls of [bare.calls, northwind.data]) {
      const refused = await add(calls, jpegOf(10, 10))
      expect([refused.status, keyOf(refused)]).toEqual([403, 'auth.client_endpoint_forbidden'])
    }
    const anonymous = await add(world.anonymous, jpegOf(10, 10))
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

describe('POST /api/photos refuses', () => {
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

describe('a photo that is removed', () => {
  test('answers 404 at once; upkeep removes its objects', async () => {
    const { platform } = world.eu
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
    world.clock.advance(11 * 60_000)
    await sweepGarbage(platform, 1000)
    for (const key of keys) expect((await platform.objects.head(key)).ok).toBe(false)
  })

  test('by another account answers the same 404 as a missing one', async () => {
    const made = await add(portal, jpegOf(40, 40))
    for (const { calls } of [harborline, mara]) {
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
    const { platform } = world.eu
    expect(
      await platform.database.read((read) => findPhotos(read, northwind.companyId, [String(made.body['id'])])),
    ).toHaveLength(1)
  })

  test('with its account leaves neither a row nor an object', async () => {
    const { platform } = world.us
    const owner = await world.person()
    const made = await add(owner.calls, jpegOf(40, 40))
    const find = () => platform.database.read((read) => findPhotos(read, owner.userId, [String(made.body['id'])]))
    const { full } = (await find())[0] ?? expect.fail('no photo')
    await owner.erase()
    expect(await find()).toEqual([])
    world.clock.advance(11 * 60_000)
    await sweepGarbage(platform, 1000)
    expect((await platform.objects.head(full.objectKey)).ok).toBe(false)
  })
})

test('a card photo is the small picture, and only of the account that owns it', async () => {
  const { platform } = world.eu
  const made = await add(portal, jpegOf(900, 600))
  const id = String(made.body['id'])
  const card = await readCardPhoto(platform, northwind.companyId, id)
  expect(card?.contentType).toBe('image/jpeg')
  expect(card?.bytes.length).toBeLessThanOrEqual(128 * 1024)
  expect(await readCardPhoto(platform, mara.userId, id)).toBeNull()
  expect(await readCardPhoto(platform, northwind.companyId, 'nonsense')).toBeNull()
})

test('the objects of a photo that was refused after storing are removed an hour later', async () => {
  const { platform } = world.us
  const owner = await world.person()
  await fillWithPhotos(owner)
  const refused = await add(owner.calls, jpegOf(40, 40))
  expect([refused.status, keyOf(refused)]).toEqual([400, 'request.invalid'])
  const waiting = await garbage()
  expect(waiting).toHaveLength(2)
  for (const key of waiting) expect((await platform.objects.head(key)).ok).toBe(true)
  world.clock.advance(3_600_001)
  await sweepGarbage(platform, 1000)
  expect(await garbage()).toEqual([])
  for (const key of waiting) expect((await platform.objects.head(key)).ok).toBe(false)
})

test('of two concurrent photos for the last place, one is refused', async () => {
  const owner = await world.person()
  await fillWithPhotos(owner, 99)
  const [stored, finish] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const delayCommit = async (): Promise<void> => {
    stored.resolve()
    await finish.promise
  }
  const first = withAnswerStore(delayCommit, () => addPhoto(world.us.modules.vault, owner.userId, uri(jpegOf(8, 8))))
  await stored.promise
  const second = await untilBlocked(world.us.platform.database, add(owner.calls, jpegOf(9, 9)))
  finish.resolve()
  await first
  const answer = await second.result
  expect([answer.status, keyOf(answer)]).toEqual([400, 'request.invalid'])
})

/** By default as many as an account may have. */
async function fillWithPhotos({ userId: accountId }: Person, photos = 100): Promise<void> {
  const { database, ids } = world.us.platform
  const picture = { objectKey: 'none', sha256: 'none', bytes: 1, width: 1, height: 1 } as Picture
  const createdAt = world.clock.now()
  await database.transaction(async (tx) => {
    for (let count = 0; count < photos; count += 1)
      await insertPhoto(tx, { accountId, id: ids.uuid(), full: picture, card: picture, createdAt })
  })
}

/** The keys of all objects of the region us that wait for their removal. */
async function garbage(): Promise<readonly ObjectKey[]> {
  const rows = await world.rows<{ object_key: ObjectKey }>('select object_key from vault.garbage', [], 'us')
  return rows.map((row) => row.object_key)
}

async function keysOf(id: unknown): Promise<readonly ObjectKey[]> {
  const photos = await world.eu.platform.database.read((read) => findPhotos(read, northwind.companyId, [String(id)]))
  return photos.flatMap(({ full, card }) => [full.objectKey, card.objectKey])
}
