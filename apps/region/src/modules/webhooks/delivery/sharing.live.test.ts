import {
  connectTo,
  drainEvents,
  keyOf,
  hookOn,
  newShopper,
  northwind,
  openSealed,
  openShop,
  rowIdOf,
  sealTo,
  setField,
  type Shop,
  startTwoRegions,
  type TestHook,
  type TwoRegions,
  waitUntil,
} from '@sealpost/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'

const JPEG = Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 16, 0x4a, 0x46, 0x49, 0x46, 0, 1])
let two: TwoRegions
let shop: Shop
let hook: TestHook

beforeAll(async () => {
  two = await startTwoRegions({ ALLOW_PRIVATE_TARGETS: '1', RATE_DATA: '60000', RATE_CHANGES: '60000' })
  shop = await openShop(two, [
    { slug: 'mail', type: 'email' },
    { slug: 'face', type: 'photo' },
  ])
  hook = await hookOn(shop.portal, shop.service.serviceId)
})
afterAll(async () => {
  await two.close()
  await hook.receiver.close()
})

function photo(bytes: Buffer): string {
  return JSON.stringify({ full: `data:image/jpeg;base64,${bytes.toString('base64')}` })
}

test('feed and webhook get the same events, with sealed values and files by URL [FEED-07] [HOOK-34] [FILE-02]', async () => {
  const person = await newShopper(two)
  await setField(person, 'email', { text: 'first@example.org' })
  await setField(person, 'photo', { text: photo(JPEG), isPrivate: false, isClear: true })
  const id = await connectTo(shop, person, [
    { slug: 'mail', kind: 'linked', source: 'email', text: 'first@example.org' },
    { slug: 'face', kind: 'linked', source: 'photo' },
  ])
  const value = await sealTo(shop.service.publicKey, 'second@example.org')
  await setField(person, 'email', { text: 'second@example.org' }, [{ connection_id: id, slug: 'mail', value }])
  const fresh = photo(Buffer.concat([JPEG, Buffer.from([7])]))
  await setField(person, 'photo', { text: fresh, isPrivate: false, isClear: true })
  await hook.receiver.take(3)
  const received = hook.receiver.all.map(({ json, eventId }) => ({ ...json, id: eventId }))
  expect(received).toEqual(await drainEvents(shop, 3))
  const [connected, mail, face] = hook.receiver.all.map(({ json }) => json)
  expect(connected).toMatchObject({ event: 'connection_created', connection_id: id })
  expect(mail).toMatchObject({ event: 'field_updated', slug: 'mail', value })
  expect(await openSealed(shop, mail?.['value'])).toBe('second@example.org')
  const value_url = `/api/company-data/connections/${id}/slots/${await rowIdOf(shop, 'face')}/file`
  expect(face).toMatchObject({ event: 'field_updated', slug: 'face', value_url })
  expect(face).not.toHaveProperty('value')
})

test('a field event has the value of the slot at the time of sending', async () => {
  const own = await hookOn(shop.portal, shop.service.serviceId)
  own.receiver.behave(() => 500)
  const person = await newShopper(two)
  await setField(person, 'email', { text: 'one@example.org' })
  await setField(person, 'photo', { text: photo(JPEG), isPrivate: false, isClear: true })
  const id = await connectTo(shop, person, [
    { slug: 'mail', kind: 'linked', source: 'email', text: 'one@example.org' },
    { slug: 'face', kind: 'linked', source: 'photo' },
  ])
  await own.becomes('bad')
  for (const text of ['two@example.org', 'three@example.org']) {
    const value = await sealTo(shop.service.publicKey, text)
    await setField(person, 'email', { text }, [{ connection_id: id, slug: 'mail', value }])
  }
  await waitUntil('both edits are queued', 20_000, async () => Number((await own.health())['backlog_count']) >= 2)
  own.receiver.behave(() => 200)
  await own.act('probe')
  await own.becomes('running')
  await waitUntil('the queue is empty', 20_000, async () => (await own.health())['backlog_count'] === 0)
  const values = own.receiver.all.filter(({ json }) => json['slug'] === 'mail').map(({ json }) => json['value'])
  // Pending edits of one slot collapse to the last one.
  expect(await Promise.all(values.map((value) => openSealed(shop, value)))).toEqual(['three@example.org'])
  await own.receiver.close()
})

test('a key is never replaced: a subscription to key_rotated gets no event, others get all [EVENT-28] [CRYPTO-20]', async () => {
  const onKeys = await hookOn(shop.portal, shop.service.serviceId, { events: ['key_rotated'] })
  const onAll = await hookOn(shop.portal, shop.service.serviceId)
  const person = await newShopper(two)
  await setField(person, 'email', { text: 'one@example.org' })
  await setField(person, 'photo', { text: photo(JPEG), isPrivate: false, isClear: true })
  await connectTo(shop, person, [
    { slug: 'mail', kind: 'linked', source: 'email', text: 'one@example.org' },
    { slug: 'face', kind: 'linked', source: 'photo' },
  ])
  const { body: bundle } = await person.call('GET', '/api/profile/keys')
  const other = { ...bundle, public_key: northwind.login.keys.publicKey }
  expect(keyOf(await person.call('POST', '/api/profile/keys', other))).toBe('profile.keys_exist')
  expect(await person.call('POST', '/api/profile/keys', bundle)).toMatchObject({ status: 201 })
  await setField(person, 'photo', { text: photo(Buffer.concat([JPEG, JPEG])), isPrivate: false, isClear: true })
  await onAll.receiver.take(2)
  const drained = await drainEvents(shop, 2)
  expect(onKeys.receiver.all).toEqual([])
  expect([...drained, ...onAll.receiver.all.map(({ json }) => json)].map(({ event }) => event)).not.toContain(
    'key_rotated',
  )
  await Promise.all([onKeys, onAll].map(({ receiver }) => receiver.close()))
})
