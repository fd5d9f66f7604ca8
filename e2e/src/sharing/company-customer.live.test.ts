import { AccountClient, CustomerClient, isSealpostError } from '@sealpost/sdk'
import { harborline, logIn, northwind, startTwoRegions, type TwoRegions } from '@sealpost/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { all, type Company, openCompany } from './parties.ts'
import { pngWith } from './pictures.ts'

const limits = { timeout: 60_000 }

let sites: TwoRegions
let clinic: Company
/** Harborline of region us, as a customer of a service of region eu, by an account client. */
let bank: CustomerClient
let account: AccountClient
let fields: ReadonlyMap<string, string>
let connectionId = ''

beforeAll(async () => {
  sites = await startTwoRegions({ RATE_DATA: '60000' })
  clinic = await openCompany(sites, northwind)
  const session = await logIn(sites, { email: harborline.email, authVerifier: harborline.login.authVerifier })
  const portal = new AccountClient({ accessToken: () => Promise.resolve(session) })
  const capabilities = ['customer_connections', 'company_profile_fields', 'service_management'] as const
  const made = await portal.clients.create({ name: 'Procurement', capabilities })
  const credentials = {
    frontDoorUrl: sites.frontDoor.url,
    clientId: made.client_id,
    clientSecret: made.client_secret ?? '',
  }
  bank = new CustomerClient(credentials)
  account = new AccountClient(credentials)
  fields = new Map((await all(bank.contactFields.list())).map(({ slug, id }) => [slug, id]))
})
afterAll(() => sites.close())

const field = (slug: string): string => fields.get(slug) ?? ''

test('a company keeps its values in the clear and shares them sealed', limits, async () => {
  await clinic.service.requestFields.update(() => [
    { slug: 'vat', label: 'VAT number', type: 'text', mandatory: true },
    { slug: 'logo', label: 'Logo', type: 'photo' },
  ])
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

test('its edits arrive, and its feed has the changes of the other company', limits, async () => {
  await bank.contactData.put(field('vat_number'), 'NL009999999B01')
  const readVat = async (): Promise<unknown> => {
    const { values } = await clinic.service.connections.get(connectionId)
    return (await clinic.service.values.decryptValue(values['vat'] ?? {}, 'text', clinic.key)).value
  }
  await expect.poll(readVat, { timeout: 20_000 }).toBe('NL009999999B01')

  await clinic.service.requestFields.update((rows) => [...rows, { slug: 'site', label: 'Site', type: 'url' }])
  const events: string[] = []
  const heard = async (): Promise<readonly string[]> => {
    for await (const { event } of bank.changes.drain()) events.push(event)
    return events
  }
  await expect.poll(heard, { timeout: 20_000 }).toContain('consent_requested')
  expect(events).toContain('connection_created')
})

test('it reads the business card of the other company, photos included', limits, async () => {
  const card = clinic.account
  const clinicFields = new Map((await all(card.contactFields.list())).map(({ slug, id }) => [slug, id]))
  const website = clinicFields.get('website') ?? ''
  await card.contactData.put(website, 'northwind.example')
  const photo = await card.photos.add({ bytes: pngWith('a front desk', 64), mimeType: 'image/png' })
  expect(Buffer.from(await card.photos.read(photo.id)).subarray(0, 3)).toEqual(Buffer.from([0xff, 0xd8, 0xff]))
  await card.shareFields.update(clinic.serviceId, () => [website])
  await card.shareFields.addPhoto(clinic.serviceId, photo.id)

  const seen = async (): Promise<unknown> => {
    const { services } = await bank.connections.get(connectionId)
    return { shared: services[0]?.shared, photos: services[0]?.photo_ids }
  }
  await expect.poll(seen, { timeout: 20_000 }).toMatchObject({
    shared: [{ slug: 'website', value: 'https://northwind.example' }],
    photos: [photo.id],
  })
  const picture = await bank.connections.readPhoto(connectionId, photo.id)
  expect(Buffer.from(picture).subarray(0, 3)).toEqual(Buffer.from([0xff, 0xd8, 0xff]))
  await card.shareFields.removePhoto(clinic.serviceId, photo.id)
  await card.photos.delete(photo.id)
})

test('operations for persons are refused', limits, async () => {
  const error = await all(bank.connectRequests.list()).catch((reason: unknown) => reason)
  expect(isSealpostError(error, 'company_connections.persons_only')).toBe(true)
  await bank.connections.disconnect(connectionId)
  expect(await all(bank.connections.list())).toEqual([])
})
