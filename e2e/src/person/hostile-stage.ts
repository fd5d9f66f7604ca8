import { createHash } from 'node:crypto'
import { bodyOf, enroll, type Person, type Service } from '@sealpost/testkit'
import type { Page } from 'playwright-core'
import { type Operator, openOperator } from '../hostile-server/operator.ts'
import { go, setPasscode, signIn } from './acts.ts'
import { clientOf } from './client-of.ts'
import { type HostileApp, openHostileApp } from './hostile-app.ts'
import type { AppOnDevice } from './person-app.ts'
import { openShop, type Shop } from './shop.ts'

/** Mara in `us` with data, a clinic that follows her name, a shop with a sign-in app, and servers that lie to her app. */
export interface HostileStage {
  readonly app: HostileApp
  readonly operator: Operator
  readonly mara: Person
  readonly clinic: Service
  /** Not connected. */
  readonly gym: Service
  /** Of its key, as its link says it. */
  readonly gymFingerprint: string
  readonly shop: Shop
  /** Its app wants a second factor. */
  readonly pharmacy: Shop
  readonly connectionId: string
  /** A connection that she has ended on this device. */
  readonly ended: { readonly id: string; readonly record: string }
  /** Ola's wrapped private key. */
  readonly foreignWrap: unknown
  /** Mara's app, open and set up with a passcode. */
  readonly device: AppOnDevice
}

export const PASSCODE = '482913'

const FIELDS = [
  { slug: 'name', label: 'First name', mandatory_provide: true },
  { slug: 'note', label: 'A note', one_time: true },
  { slug: 'phone', label: 'Mobile number', type: 'phone' },
]

export async function openHostileStage(): Promise<HostileStage> {
  const app = await openHostileApp()
  const { world } = app
  const serviceOf = async (displayName: string, name: string): Promise<Service> =>
    world.service(FIELDS, { company: await world.company({ region: 'eu', displayName }), name })
  const [clinic, gym, club] = await Promise.all([
    serviceOf('Northwind Clinic', 'Patient intake'),
    serviceOf('Vasa Fitness', 'Membership'),
    serviceOf('Former Club', 'Members'),
  ])
  const claims = [{ name: 'mail', type: 'email', required: true }]
  const shop = await openShop(world, 'Harborline Bank', { claims, detached: true })
  const pharmacy = await openShop(world, 'Nordic Pharmacy', { require_2fa: true })
  const [mara, ola] = [await world.person({ displayName: 'Mara' }), await world.person({ displayName: 'Ola' })]
  const client = clientOf(mara)
  await client.contactData.put(mara.field('first_name'), 'Mara')
  await client.contactData.put(mara.field('phone'), '+46 70 555 01 42')
  const made = await client.connect(clinic.code, { name: { from: mara.field('first_name') } })
  await client.connections.remap(made.id, { phone: { value: '+46 70 555 01 43' } })
  await enroll(world, clinic.client, mara)
  const device = await app.device({ keepsApp: true })
  await setUp(device.page, mara)
  const endedId = await connectThere(device.page, club)
  const ended = await client.connections.get(endedId)
  await endThere(device.page, endedId)
  const { public_key: gymKey } = await bodyOf(gym.portal('GET', gym.path))
  return {
    app,
    operator: await openOperator(),
    mara,
    clinic,
    gym,
    gymFingerprint: createHash('sha256')
      .update(Buffer.from(String(gymKey), 'base64'))
      .digest('hex'),
    shop,
    pharmacy,
    connectionId: made.id,
    ended: { id: endedId, record: recordOf(ended) },
    foreignWrap: (await bodyOf(ola.calls('GET', '/api/profile/keys')))['encrypted_private_key'],
    device,
  }
}

async function setUp(page: Page, { email, password }: Person): Promise<void> {
  await signIn(page, email, password)
  await page.getByRole('link', { name: 'Open without your password' }).click()
  await setPasscode(page, PASSCODE)
  await page.getByText('This device', { exact: true }).waitFor()
}

async function connectThere(page: Page, { code }: Service): Promise<string> {
  await go(page, `/connect/${code}`)
  await page.getByRole('button', { name: 'Connect and share' }).click()
  await page.getByText('Members sees one thing of yours.').waitFor()
  return new URL(page.url()).pathname.split('/').at(-1) ?? ''
}

/** Loads the app again: what the worker knew is gone. */
export async function reopen(page: Page): Promise<void> {
  await unlockAgain(page)
  await page.locator('nav').waitFor()
}

export async function unlockAgain(page: Page): Promise<void> {
  await page.goto(new URL('/', page.url()).href)
  await page.getByLabel('Your passcode').fill(PASSCODE)
  await page.getByRole('button', { name: 'Open' }).click()
}

/** The device remembers that it has ended the connection. */
async function endThere(page: Page, connectionId: string): Promise<void> {
  await go(page, `/connections/${connectionId}/end`)
  await page.getByRole('button', { name: 'End connection' }).click()
  await page.getByRole('heading', { name: 'Who sees what' }).waitFor()
}

function recordOf({ device_record: record }: { readonly device_record?: string }): string {
  if (record === undefined) throw new Error('a connection has no record')
  return record
}
