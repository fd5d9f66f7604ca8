import { JPEG_START, keyOf, openWorld, photoEnvelope, scaled, type Service } from '@sealpost/testkit'
import { expect, test } from 'vitest'

const FIELDS = [
  { slug: 'mail', type: 'email' },
  { slug: 'face', type: 'photo' },
]
const PUBLIC = { isPrivate: false, isClear: true }
const DONE = { status: 200 }
const inTime = { timeout: scaled(20_000) }

const world = await openWorld()
const company = await world.company()
const open = () => world.service(FIELDS, { company })

/** A person whose e-mail address and photo the service follows. */
async function connect(service: Service, email: string) {
  const person = await world.person()
  expect(await person.put('email', email)).toMatchObject(DONE)
  expect(await person.put('photo', photoEnvelope(), [], PUBLIC)).toMatchObject(DONE)
  const connectionId = await person.connected(service, [
    { slug: 'mail', kind: 'linked', source: 'email', text: email },
    { slug: 'face', kind: 'linked', source: 'photo' },
  ])
  return { person, connectionId }
}

test('feed and webhook get the same events, with sealed values and files by URL [FEED-07] [HOOK-34] [FILE-02]', async () => {
  const service = await open()
  const hook = await service.webhook()
  const { person, connectionId: id } = await connect(service, 'first@example.org')
  const value = await service.seal('second@example.org')
  const body = {
    value: await person.sealToSelf('second@example.org'),
    shares: [{ connection_id: id, slug: 'mail', value }],
  }
  expect(await person.calls('PUT', `/api/contact-data/${person.field('email')}`, { body })).toMatchObject(DONE)
  const fresh = photoEnvelope(Buffer.concat([JPEG_START, Buffer.from([7])]))
  expect(await person.put('photo', fresh, [], PUBLIC)).toMatchObject(DONE)
  await hook.receiver.take(3)
  const received = hook.receiver.all.map(({ json, eventId }) => ({ ...json, id: eventId }))
  expect(received).toEqual(await service.events(3))
  const [connected, mail, face] = hook.receiver.all.map(({ json }) => json)
  expect(connected).toMatchObject({ event: 'connection_created', connection_id: id })
  expect(mail).toMatchObject({ event: 'field_updated', slug: 'mail', value })
  expect(await service.open(mail?.['value'])).toBe('second@example.org')
  const value_url = `/api/company-data/connections/${id}/slots/${service.row('face')}/file`
  expect(face).toMatchObject({ event: 'field_updated', slug: 'face', value_url })
  expect(face).not.toHaveProperty('value')
})

test('a field event has the value of the slot at the time of sending', async () => {
  const service = await open()
  const hook = await service.webhook()
  hook.receiver.behave(() => 500)
  const { person, connectionId } = await connect(service, 'one@example.org')
  await hook.becomes('bad')
  const share = { service, connectionId, slug: 'mail' }
  for (const text of ['two@example.org', 'three@example.org'])
    expect(await person.put('email', text, [share])).toMatchObject(DONE)
  const backlog = async () => Number((await hook.health())['backlog_count'])
  await expect.poll(backlog, inTime).toBeGreaterThanOrEqual(2)
  hook.receiver.behave(() => 200)
  await hook.post('probe')
  await hook.becomes('running')
  await expect.poll(backlog, inTime).toBe(0)
  const values = hook.receiver.all.filter(({ json }) => json['slug'] === 'mail').map(({ json }) => json['value'])
  // Pending edits of one slot collapse to the last one.
  expect(await Promise.all(values.map((value) => service.open(value)))).toEqual(['three@example.org'])
})

test('a key is never replaced: a subscription to key_rotated gets no event, others get all [EVENT-28] [CRYPTO-20]', async () => {
  const service = await open()
  const [onKeys, onAll] = [await service.webhook({ events: ['key_rotated'] }), await service.webhook()]
  const { person } = await connect(service, 'one@example.org')
  const { body: bundle } = await person.calls('GET', '/api/profile/keys')
  const other = { ...bundle, public_key: company.keys.publicKey }
  expect(keyOf(await person.calls('POST', '/api/profile/keys', { body: other }))).toBe('profile.keys_exist')
  expect(await person.calls('POST', '/api/profile/keys', { body: bundle })).toMatchObject({ status: 201 })
  const fresh = photoEnvelope(Buffer.concat([JPEG_START, JPEG_START]))
  expect(await person.put('photo', fresh, [], PUBLIC)).toMatchObject(DONE)
  await onAll.receiver.take(2)
  const drained = await service.events(2)
  expect(onKeys.receiver.all).toEqual([])
  expect([...drained, ...onAll.receiver.all.map(({ json }) => json)].map(({ event }) => event)).not.toContain(
    'key_rotated',
  )
})
