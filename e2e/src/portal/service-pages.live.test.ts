import { bodyOf, scaled } from '@sealpost/testkit'
import { expect, test } from 'vitest'
import { go } from '../person/acts.ts'
import { clientOf } from '../person/client-of.ts'
import { keepPicture } from '../person/keep-picture.ts'
import { findFaults, setLook } from '../person/looks.ts'
import { beginService, signInToPortal } from './acts.ts'
import { openPortal } from './portal.ts'

const portal = await openPortal()
const { world } = portal
const LONG = { timeout: scaled(240_000) }

const company = await world.company({ region: 'eu', level: 'pro', displayName: 'Northwind Clinic' })
const service = await world.service(
  [
    { slug: 'name', label: 'First name', mandatory_provide: true },
    { slug: 'phone', label: 'Mobile number', type: 'phone' },
    { slug: 'address', label: 'Where we come to', type: 'address' },
    { slug: 'note', label: 'A note', one_time: true },
  ],
  { company, name: 'Patient intake' },
)
await world.service([{ slug: 'mail', label: 'E-mail', type: 'email' }], { company, name: 'Home visits' })
const mara = await world.person({ region: 'us', displayName: 'Mara Lind' })
await clientOf(mara).connect(service.code, { name: { value: 'Mara' }, note: { value: 'Side entrance' } })
await bodyOf(company.portal('GET', service.path))

const { page, complaints } = await portal.desk()
await signInToPortal(page, company)
await go(page, `/services/${service.serviceId}/key`)
await page.getByLabel('Passphrase of the service').first().fill(service.passphrase)
await page.getByRole('button', { name: 'Open the key' }).click()
await page.getByRole('button', { name: 'Close the key' }).waitFor()

const at = `/services/${service.serviceId}`
/** Every page by a name, its address and something that is there when it is complete. */
const pages = [
  { name: 'services', path: '/services', sign: 'Home visits' },
  { name: 'service', path: at, sign: 'Made on' },
  { name: 'service-fields', path: `${at}/fields`, sign: 'Mobile number' },
  { name: 'service-api', path: `${at}/api`, sign: 'Make a new secret' },
  { name: 'service-key', path: `${at}/key`, sign: 'What you have stored yourself' },
  { name: 'service-runs', path: `${at}/runs`, sign: 'No flow of this service' },
  { name: 'service-delete', path: `${at}/delete`, sign: 'What follows' },
  { name: 'service-new', path: '/services/new', sign: 'What comes next' },
] as const

const looks = ['light', 'dark', 'large-text'] as const

async function look(name: string): Promise<void> {
  for (const each of looks) {
    await setLook(page, each)
    expect(await findFaults(page, each), `${name} ${each}`).toEqual([])
    if (each !== 'large-text') await keepPicture(page, `portal-${name}-${each}`)
  }
  await setLook(page, 'light')
}

test.each(pages)(
  'the page $name has no barrier, in light, dark and with large text',
  LONG,
  async ({ name, path, sign }) => {
    await go(page, path)
    await page.getByText(sign).first().waitFor()
    await look(name)
    expect(complaints).toEqual([])
  },
)

test('the passphrase of a new service has no barrier', LONG, async () => {
  await go(page, '/services')
  await beginService(page, 'Aftercare', 'AFTER')
  await look('service-new-key')
  expect(complaints).toEqual([])
})

test('what a publication changes has no barrier', LONG, async () => {
  await go(page, `${at}/fields`)
  await page.getByRole('button', { name: 'Remove A note' }).click()
  await page.getByRole('button', { name: 'Change Mobile number' }).click()
  await page.getByLabel('Needed to connect').check()
  await keepPicture(page, 'portal-service-fields-row-light')
  await page.getByRole('button', { name: 'Done' }).click()
  await page.getByText('deletes the value of 1 customer').waitFor()
  await look('service-fields-difference')
  expect(complaints).toEqual([])
})
