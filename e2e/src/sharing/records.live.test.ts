import {
  AccountKey,
  CustomerClient,
  memoryPins,
  PublicKey,
  ServiceClient,
  ServiceKey,
  UntrustedAnswerError,
} from '@sealpost/sdk'
import { openWorld, scaled } from '@sealpost/testkit'
import { expect, test } from 'vitest'

const SOON = { timeout: scaled(20_000) }

const world = await openWorld()
const { northwind, harborline } = await world.personas('northwind', 'harborline')
const frontDoorUrl = world.frontDoor.url
const service = new ServiceClient({
  frontDoorUrl,
  clientId: northwind.clientId,
  clientSecret: northwind.clientSecret,
  pins: memoryPins(),
})
const key = await ServiceKey.fromWrap(northwind.service.encryptedPrivateKey, northwind.service.passphrase)
const code = `${northwind.shareCode}/${northwind.service.shareCode}`
await service.requestFields.update(() => [
  { slug: 'name', label: 'First name', type: 'text' },
  { slug: 'vat', label: 'VAT number', type: 'text' },
])
const person = await world.person()
const personKey = await AccountKey.fromPkcs8(person.keys.privateKey.reveal())

/** A device of the person that has seen nothing yet. */
const newDevice = () =>
  new CustomerClient({ accessToken: () => Promise.resolve(person), key: personKey, pins: memoryPins() })

async function readName(connectionId: string) {
  const { values } = await service.connections.get(connectionId)
  const place = { connectionId, slug: 'name' }
  const { text, authenticity } = await service.values.decryptValue(values['name'] ?? {}, 'text', key, place)
  return { text, authenticity }
}

test('a second device uses the connections of the first without asking, and another account does not', async () => {
  const first = newDevice()
  await first.contactData.put(person.field('first_name'), 'Ana')
  const { id } = await first.connect(code, { name: { from: person.field('first_name') } })
  await newDevice().contactData.put(person.field('first_name'), 'Anna')
  await expect.poll(() => readName(id), SOON).toEqual({ text: 'Anna', authenticity: 'signed' })
  const remapped = await newDevice().connections.remap(id, { name: null })
  expect(remapped.services[0]?.mappings).toEqual([])
  await first.contactData.put(person.field('first_name'), 'Annika')
  await first.connections.disconnect(id)
})

test('a connection that was made without a record is used after the user has confirmed it', async () => {
  const lookedUp = await newDevice().lookup(code)
  const row = lookedUp.request_fields.find(({ slug }) => slug === 'name')
  const published = {
    code,
    row: () => row?.id ?? '',
    seal: async (text: string) => (await PublicKey.import(lookedUp.public_key)).seal(text),
  }
  const id = await person.connected(published, [{ slug: 'name', kind: 'linked', text: 'Annika', source: 'first_name' }])
  const app = newDevice()
  const edit = app.contactData.put(person.field('first_name'), 'Ana Maria')
  await expect(edit).rejects.toMatchObject({ name: 'UntrustedAnswerError', reason: 'connection_unknown' })
  await expect(edit).rejects.toThrow('connections.confirm')
  expect(await readName(id)).toEqual({ text: 'Annika', authenticity: 'unsigned' })

  const confirmed = await app.connections.confirm(id)
  expect(confirmed.device_record).toMatch(/^v1\./)
  await newDevice().contactData.put(person.field('first_name'), 'Ana Maria')
  await expect.poll(() => readName(id), SOON).toEqual({ text: 'Ana Maria', authenticity: 'signed' })
  const again = await app.connections.confirm(id)
  await app.contactData.put(person.field('first_name'), 'Ana Sofia')
  await expect.poll(() => readName(id), SOON).toEqual({ text: 'Ana Sofia', authenticity: 'signed' })
  await app.connections.disconnect(again.id)
})

test('a company without an account key keeps its connections in its pins', async () => {
  const client = await harborline.accountClient(['customer_connections', 'company_profile_fields'])
  const credentials = { frontDoorUrl, clientId: client.clientId, clientSecret: client.clientSecret }
  const pins = memoryPins()
  const company = (own = pins) => new CustomerClient({ ...credentials, userType: 'company', pins: own })
  const vat = harborline.field('vat_number')
  await company().contactData.put(vat, 'NL001234567B01')
  const { id } = await company().connect(code, { vat: { from: vat } })
  await company().contactData.put(vat, 'NL009999999B01')
  const forgetful = company(memoryPins())
  await expect(forgetful.contactData.put(vat, 'NL008888888B01')).rejects.toBeInstanceOf(UntrustedAnswerError)
  await forgetful.connections.confirm(id)
  await forgetful.contactData.put(vat, 'NL008888888B01')
  const unsaid = new CustomerClient({ ...credentials, pins: memoryPins() })
  await expect(unsaid.me()).rejects.toThrow("userType: 'company'")
  await company().connections.disconnect(id)
})
