import { AccountKey, CustomerClient, memoryPins, ServiceClient, ServiceKey } from '@sealpost/sdk'
import { openWorld } from '@sealpost/testkit'
import { expect, test } from 'vitest'
import { all } from './parties.ts'

const world = await openWorld()
const { northwind } = await world.personas('northwind')
const { clientId, clientSecret } = northwind
const service = new ServiceClient({ frontDoorUrl: world.frontDoor.url, clientId, clientSecret, pins: memoryPins() })
const key = await ServiceKey.fromWrap(northwind.service.encryptedPrivateKey, northwind.service.passphrase)
const person = await world.person()
const personKey = await AccountKey.fromPkcs8(person.keys.privateKey.reveal())
const app = new CustomerClient({ accessToken: () => Promise.resolve(person), key: personKey, pins: memoryPins() })
await service.requestFields.update(() => [{ slug: 'name', label: 'First name', type: 'text' }])
const { id } = await app.connect(`${northwind.shareCode}/${northwind.service.shareCode}`, {
  name: { value: 'Mara' },
})

test('both sides write, open what they got and their own copies, and see the receipts', async () => {
  const question = await app.messages.send(id, 'Is it still free?')
  await expect.poll(() => service.messages.countUnread(id)).toBe(1)
  // Messages of one moment have no order.
  world.clock.advance(1_000)
  const answer = await service.messages.send(id, 'Yes, until Friday', key)
  await expect.poll(() => app.messages.countUnread(id)).toBe(1)

  const texts = ['Yes, until Friday', 'Is it still free?']
  const ofService = await all(service.messages.list(id))
  expect(await Promise.all(ofService.map((message) => service.messages.open(message, key)))).toEqual(texts)
  const ofPerson = await all(app.messages.list(id))
  expect(await Promise.all(ofPerson.map((message) => app.messages.open(message)))).toEqual(texts)
  expect(ofPerson.map(({ message_id: messageId, read_at: readAt }) => [messageId, readAt])).toEqual([
    [answer.message_id, null],
    [question.message_id, null],
  ])

  await service.messages.acknowledge(id, question.message_id)
  await app.messages.acknowledge(id, answer.message_id)
  const areRead = async (messages: AsyncIterable<{ readonly read_at: string | null }>) =>
    (await all(messages)).map(({ read_at: readAt }) => readAt !== null)
  await expect.poll(() => areRead(app.messages.list(id))).toEqual([true, true])
  await expect.poll(() => areRead(service.messages.list(id))).toEqual([true, true])
})

test('a broadcast is read as it was written', async () => {
  const { broadcast_id: broadcastId, recipients } = await service.messages.broadcast('We move on Monday')
  expect(recipients).toBeGreaterThan(0)
  const find = async () => (await all(app.messages.list(id))).find((message) => message.message_id === broadcastId)
  await expect.poll(find).toMatchObject({ broadcast: true })
  const found = await find()
  expect(found === undefined ? null : await app.messages.open(found)).toBe('We move on Monday')
})
