import { scaled } from '@sealpost/testkit'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { go } from '../person/acts.ts'
import { clientOf } from '../person/client-of.ts'
import { formsOf, lease } from '../person/forms.ts'
import { keepPicture } from '../person/keep-picture.ts'
import { findFaults, setLook } from '../person/looks.ts'
import { openPortal } from './portal.ts'

const portal = await openPortal()
const { world } = portal
const LONG = { timeout: scaled(180_000) }
const WIDE = { viewport: { width: 1440, height: 900 } }
const faults: string[] = []

const company = await world.company({ region: 'eu', displayName: 'Northwind Clinic' })
const service = await world.service([{ slug: 'name', label: 'First name' }], { company, name: 'Patient intake' })
await world.service([], { company, name: 'Lab results' })
const colleague = await world.company({ region: 'us', displayName: 'Tomas Berg' })
const person = await world.person({ region: 'us', displayName: 'Mara Lind' })
const app = clientOf(person)
const { id: connectionId } = await app.connect(service.code, { name: { value: 'Mara' } })
const forms = await formsOf(world, service, person, connectionId)
const run = await forms.start(await forms.publish(lease()), { rent: 900 })
const given = { nick: { value: 'Mara by the sea' }, kind: { value: 'flat' }, start: { value: '2030-01-02' } }
await app.flows.answer({ id: run, connection_id: connectionId }, given)

async function signIn(page: Page, { email, password }: { readonly email: string; readonly password: string }) {
  await page.getByRole('link', { name: 'We have an account' }).click()
  await page.getByLabel('E-mail address').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('link', { name: 'Home' }).waitFor()
}

/** Barriers, what does not fit, and a picture of the page as it stands. */
async function examine(page: Page, name: string): Promise<void> {
  for (const look of ['light', 'dark'] as const) {
    await setLook(page, look)
    await page.evaluate('document.fonts.ready')
    for (const fault of await findFaults(page, look)) faults.push(`${name}, ${look}: ${fault}`)
    await keepPicture(page, `portal-${name}-${look}`)
  }
  await setLook(page, 'light')
}

test(
  'the owner lets a colleague of another region in, who acts for the company and sees what the role may, and no more',
  LONG,
  async () => {
    const { page, complaints, sent } = await portal.desk(WIDE)
    await signIn(page, company)
    await page
      .getByRole('heading', { name: /thing/u })
      .or(page.getByRole('heading', { name: 'Nothing waits' }))
      .waitFor()
    await page.getByRole('table', { name: 'Services' }).getByText('Patient intake').waitFor()
    await examine(page, 'home')
    await page.getByRole('link', { name: 'Delegates' }).click()
    await page.getByText('You work alone here.').waitFor()
    await examine(page, 'delegates-empty')
    await page.getByRole('link', { name: 'Add a delegate' }).click()
    await page.getByLabel('Code of the account').fill(colleague.shareCode)
    await page.getByLabel('Patient intake').check()
    await examine(page, 'delegate-new')
    await page.getByRole('button', { name: 'Let in' }).click()
    await page.getByRole('button', { name: 'Remove this delegate' }).waitFor()

    const other = await portal.desk(WIDE)
    await signIn(other.page, colleague)
    await other.page.getByRole('button', { name: /Switch company/u }).click()
    await other.page.getByRole('menuitem', { name: /Northwind Clinic/u }).click()
    await other.page.getByText('Operator, region eu').waitFor()
    await other.page.getByRole('table', { name: 'Services' }).getByText('Patient intake').waitFor()
    await examine(other.page, 'home-of-an-operator')
    expect(await other.page.getByText('Lab results').count()).toBe(0)
    expect(await other.page.getByRole('link', { name: 'Delegates' }).count()).toBe(0)
    for (const path of ['/delegates', '/audit', `/services/${service.serviceId}/runs`]) {
      await go(other.page, path)
      await other.page.getByText('Your role at this company does not include this.').waitFor()
    }

    await page.getByText('Admin', { exact: true }).click()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('link', { name: /Hand over.*Patient intake/u }).click()
    const shown = await page.getByRole('list', { name: 'Fingerprint' }).innerText()
    await page.getByLabel('same fingerprint').check()
    await page.getByLabel('Passphrase of the service').fill('a'.repeat(43))
    await page.getByRole('button', { name: 'Seal and hand over' }).click()
    await page.getByText('does not open the key of this service').waitFor()
    await page.getByLabel('Passphrase of the service').fill(service.passphrase)
    await examine(page, 'hand-over')
    await page.getByRole('button', { name: 'Seal and hand over' }).click()
    await page.getByRole('table', { name: 'Keys of services' }).getByText('Handed over').waitFor()
    await examine(page, 'delegate')

    await go(other.page, '/settings')
    expect(await other.page.getByRole('list', { name: 'Fingerprint' }).innerText()).toBe(shown)
    await go(other.page, `/services/${service.serviceId}/runs`)
    await other.page.getByRole('list', { name: 'Runs' }).getByRole('link').click()
    await other.page.getByRole('button', { name: 'Open with it' }).click()
    await other.page.getByText('Mara by the sea').waitFor()

    await page.getByRole('link', { name: 'Audit' }).click()
    await page.getByRole('table', { name: 'Audit' }).getByText('Handed the key of a service to a delegate').waitFor()
    await examine(page, 'audit')
    await go(page, '/delegates')
    await page.getByRole('link', { name: 'Tomas Berg' }).click()
    await page.getByRole('button', { name: 'Remove this delegate' }).click()
    await page.getByText('You work alone here.').waitFor()
    await go(other.page, '/')
    await other.page.getByRole('alert').first().waitFor()
    expect(await other.page.getByText('Mara by the sea').count()).toBe(0)
    expect([...sent, ...other.sent].join('\n')).not.toContain(service.passphrase)
    expect([...complaints, ...other.complaints]).toEqual([])
    expect(faults).toEqual([])
  },
)
