import { AccountClient, CustomerClient, isSealpostError, memoryPins } from '@sealpost/sdk'
import { openWorld, scaled } from '@sealpost/testkit'
import { expect, test } from 'vitest'
import { all, openCompany } from './parties.ts'
import { pngWith } from './pictures.ts'

const CAPABILITIES = ['customer_connections', 'company_profile_fields', 'service_management']
const SOON = { timeout: scaled(20_000) }

const world = await openWorld()
const { northwind, harborline } = await world.personas('northwind', 'harborline')
const clinic = await openCompany(world, northwind)
const { clientId, clientSecret } = await harborline.accountClient(CAPABILITIES)
const credentials = { frontDoorUrl: world.frontDoor.url, clientId, clientSecret }
/** Harborline of region us, as a customer of a service of region eu, by an account client. */
const bank = new CustomerClient({ ...credentials, userType: 'company', pins: memoryPins() })
const account = new AccountClient({ ...credentials, pins: memoryPins() })
/** Of the connection that the first test makes. */
let connectionId = ''

const field = (slug: string): string => harborline.field(slug)

test('a company keeps its values in the clear and shares them sealed', async () => {
  await clinic.service.requestFields.update(() => [
    { slug: 'vat', label: 'VAT number', type: 'text', mandatory: true },
    { slug: 'logo', label: 'Logo', type: 'photo' },
  ])
  expect(await all(bank.contactFields.list())).toContainEqual(expect.objectContaining({ id: field('vat_number') }))
  const kept = await bank.contactData.put(field('vat_number'), 'NL001234567B01')
  expect(kept).toMatchObject({ value: 'NL001234567B01', is_private: false })
  await account.contactData.put(field('logo'), {
    file: { bytes: pngWith('a logo'), mimeType: 'image/png', originalName: 'logo.png' },
  })
  const made = await bank.connect(clinic.code, { vat: { from: field('vat_number') }, logo: { from: field('logo') } })
  connectionId = made.id

  const connection = await clinic.service.connections.get(connectionId)
  expect(connection).toMatchObject({ customer_type: 'company', share_code: harborline.shareCode })
  expect(JSON.stringify(connection)).not.toContain('NL001234567B01')
  const { vat } = await clinic.service.values.decrypt(connection, clinic.key)
  expect(vat).toMatchObject({ kind: 'text', value: 'NL001234567B01' })
  const logo = await clinic.service.files.read(connection.values['logo']?.value_url ?? '')
  expect(logo.kind).toBe('raw')
})

test('its edits arrive, and its feed has the changes of the other company', async () => {
  await bank.contactData.put(field('vat_number'), 'NL009999999B01')
  const readVat = async (): Promise<unknown> => {
    const { values } = await clinic.service.connections.get(connectionId)
    return (await clinic.service.values.decryptValue(values['vat'] ?? {}, 'text', clinic.key)).value
  }
  await expect.poll(readVat, SOON).toBe('NL009999999B01')

  await clinic.service.requestFields.update((rows) => [...rows, { slug: 'site', label: 'Site', type: 'url' }])
  const events: string[] = []
  const heard = async (): Promise<readonly string[]> => {
    for await (const { event } of bank.changes.drain()) events.push(event)
    return events
  }
  await expect.poll(heard, SOON).toContain('consent_requested')
  expect(events).toContain('connection_created')
})

test('it reads the business card of the other company, photos included', async () => {
  const card = clinic.account
  const website = northwind.field('website')
  expect(await all(card.contactFields.list())).toContainEqual(expect.objectContaining({ id: website }))
  await card.contactData.put(website, 'northwind.example')
  const photo = await card.photos.add({ bytes: pngWith('a front desk', 64), mimeType: 'image/png' })
  expect(Buffer.from(await card.photos.read(photo.id)).subarray(0, 3)).toEqual(Buffer.from([0xff, 0xd8, 0xff]))
  await card.shareFields.update(clinic.serviceId, () => [website])
  await card.shareFields.addPhoto(clinic.serviceId, photo.id)

  const seen = async (): Promise<unknown> => {
    const { services } = await bank.connections.get(connectionId)
    return { shared: services[0]?.shared, photos: services[0]?.photo_ids }
  }
  await expect.poll(seen, SOON).toMatchObject({
    shared: [{ slug: 'website', value: 'https://northwind.example' }],
    photos: [photo.id],
  })
  const picture = await bank.connections.readPhoto(connectionId, photo.id)
  expect(Buffer.from(picture).subarray(0, 3)).toEqual(Buffer.from([0xff, 0xd8, 0xff]))
  await card.shareFields.removePhoto(clinic.serviceId, photo.id)
  await card.photos.delete(photo.id)
})

test('operations for persons are refused', async () => {
  const error = await all(bank.connectRequests.list()).catch((reason: unknown) => reason)
  expect(isSealpostError(error, 'company_connections.persons_only')).toBe(true)
  await bank.connections.disconnect(connectionId)
  expect(await all(bank.connections.list())).toEqual([])
})
