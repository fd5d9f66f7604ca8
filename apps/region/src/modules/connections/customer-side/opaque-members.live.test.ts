import { bodyOf, membersOf, openWorld } from '@sealpost/testkit'
import { expect, test } from 'vitest'

// The platform cannot judge these members; it must hand them on unchanged to exactly one place each.
const SIGNATURE = 'v1.of-the-first-value'
const NEXT = 'v1.of-the-next-value'
const RECORD = 'v1.made-by-a-device.mac'
const connections = '/api/company-connections'

const world = await openWorld()
const service = await world.service([{ slug: 'name' }, { slug: 'note' }])
const person = await world.person()
expect(await person.put('first_name', 'Ana')).toMatchObject({ status: 200 })
const [named] = await person.decide(service, [{ slug: 'name', kind: 'linked', text: 'Ana', source: 'first_name' }])
const decisions = [{ ...named, sender_signature: SIGNATURE }]
const body = { code: service.code, decisions, device_record: RECORD }
const made = await bodyOf(person.calls('POST', connections, { body }), 201)
const id = String(made['id'])
const path = `${connections}/${id}`

async function valueOf(slug: string): Promise<Record<string, unknown>> {
  const record = await service.read(id)
  return membersOf(membersOf(record?.['values'])[slug])
}

test('the record of a device comes back with the connection, and is not shown to the service', async () => {
  expect(made['device_record']).toBe(RECORD)
  expect(await bodyOf(person.calls('GET', path), 200)).toMatchObject({ device_record: RECORD })
  expect(await person.connections()).toMatchObject([{ device_record: RECORD }])
  expect(JSON.stringify(await service.read(id))).not.toContain(RECORD)
})

test('a re-map replaces the record, also one that changes nothing else; without one it stays', async () => {
  const kept = [{ request_field_id: service.row('name'), kind: 'linked', source_field_id: person.field('first_name') }]
  const remap = (more: object) =>
    bodyOf(person.calls('PUT', `${path}/services/${id}/mappings`, { body: { decisions: kept, ...more } }), 200)
  expect(await remap({ device_record: 'v1.second.mac' })).toMatchObject({ device_record: 'v1.second.mac' })
  expect(await remap({})).toMatchObject({ device_record: 'v1.second.mac' })
  const tooLong = { decisions: kept, device_record: 'x'.repeat(65_537) }
  const refused = await person.calls('PUT', `${path}/services/${id}/mappings`, { body: tooLong })
  expect(refused).toMatchObject({ status: 400, body: { error_key: 'request.invalid' } })
})

test('a consent brings a signature and a record', async () => {
  const [note] = await person.decide(service, [{ slug: 'note', text: 'after six' }])
  const given = { decisions: [{ ...note, sender_signature: NEXT }], device_record: 'v1.third.mac' }
  const provided = await person.calls('POST', `${connections}/consents/${id}/provide`, { body: given })
  expect(await bodyOf(Promise.resolve(provided), 200)).toMatchObject({ device_record: 'v1.third.mac' })
  await service.waitForValue(id, 'note', 'after six')
  expect(await valueOf('note')).toMatchObject({ sender_signature: NEXT })
})

test('the signature of a value reaches the service: in the record, the feed and a webhook', async () => {
  expect(await valueOf('name')).toMatchObject({ sender_signature: SIGNATURE })
  await service.drain()
  const { receiver } = await service.webhook()
  const share = { connection_id: id, slug: 'name', value: await service.seal('Anna'), sender_signature: NEXT }
  const edit = { value: await person.sealToSelf('Anna'), shares: [share] }
  await bodyOf(person.calls('PUT', `/api/contact-data/${person.field('first_name')}`, { body: edit }), 200)
  await service.waitForValue(id, 'name', 'Anna')
  expect(await valueOf('name')).toMatchObject({ sender_signature: NEXT })
  expect(await service.events(1)).toMatchObject([{ event: 'field_updated', slug: 'name', sender_signature: NEXT }])
  const [delivery] = await receiver.take(1)
  expect(JSON.parse(String(delivery?.body))).toMatchObject({ event: 'field_updated', sender_signature: NEXT })
})

test('a value that is edited without a signature has none: an old one does not stay with it', async () => {
  const shares = [{ service, connectionId: id, slug: 'name' }]
  expect(await person.put('first_name', 'Annika', shares)).toMatchObject({ status: 200 })
  await service.waitForValue(id, 'name', 'Annika')
  expect(await valueOf('name')).not.toHaveProperty('sender_signature')
})
