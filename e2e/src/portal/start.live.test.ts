import { scaled } from '@sealpost/testkit'
import { expect, test } from 'vitest'
import { firstLoad } from '../browser/first-load.ts'
import { PASSWORD, tryRecoveryCode } from '../person/acts.ts'
import { clientOf } from '../person/client-of.ts'
import { formsOf, lease } from '../person/forms.ts'
import { openPortal } from './portal.ts'

const portal = await openPortal()
const { world } = portal
const LONG = { timeout: scaled(120_000) }

test('a company registers, tries its recovery code, and finds no service', LONG, async () => {
  const { page, complaints, sent } = await portal.desk()
  const email = 'portal@start.example'
  await page.getByRole('link', { name: 'Register a company' }).click()
  await page.getByLabel('Name of the company').fill('Northwind Clinic')
  await page.getByLabel('E-mail address').fill(email)
  await page.getByLabel('United States').check()
  await page.getByRole('button', { name: 'Go on' }).click()
  await page.getByText('two pairs of keys').waitFor()
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Go on' }).click()
  await page.getByLabel('The six digits').fill(await world.mail.waitForCode(email, 'confirmation'))
  await page.getByRole('button', { name: 'Go on' }).click()
  const groups = page.getByRole('list', { name: 'Your recovery code' }).getByRole('listitem')
  await groups.first().waitFor()
  const code = (await groups.allTextContents()).join('-')
  await tryRecoveryCode(page, code)
  await page.getByRole('button', { name: 'Not now' }).click()
  await page.getByText('There is no service yet.').waitFor()
  expect(complaints).toEqual([])
  const everything = sent.join('\n')
  for (const secret of [PASSWORD, code, code.replaceAll('-', '')]) expect(everything).not.toContain(secret)
})

test(
  'staff open an answer of a run with the passphrase, which stays in the browser, and lock it again',
  LONG,
  async () => {
    const company = await world.company({ region: 'eu', displayName: 'Harborline Homes' })
    const service = await world.service([{ slug: 'name', label: 'First name' }], { company, name: 'Housing' })
    const person = await world.person({ region: 'us', displayName: 'Mara Lind' })
    const app = clientOf(person)
    const { id: connectionId } = await app.connect(service.code, { name: { value: 'Mara' } })
    const forms = await formsOf(world, service, person, connectionId)
    const run = await forms.start(await forms.publish(lease()), { rent: 900 })
    const given = { nick: { value: 'Mara by the sea' }, kind: { value: 'flat' }, start: { value: '2030-01-02' } }
    await app.flows.answer({ id: run, connection_id: connectionId }, given)

    const { page, complaints, sent } = await portal.desk()
    await page.getByRole('link', { name: 'We have an account' }).click()
    await page.getByLabel('E-mail address').fill(company.email)
    await page.getByLabel('Password', { exact: true }).fill(company.password)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('link', { name: 'Housing' }).click()
    await page.getByRole('link', { name: 'Runs' }).click()
    await page.getByRole('list', { name: 'Runs' }).getByRole('link').click()
    await page.getByText('sealed to this service').waitFor()
    await page.getByLabel('Passphrase of the service').fill('a'.repeat(43))
    await page.getByRole('button', { name: 'Open the key' }).click()
    await page.getByRole('alert').waitFor()
    await page.getByLabel('Passphrase of the service').fill(service.passphrase)
    await page.getByRole('button', { name: 'Open the key' }).click()
    await page.getByText('Mara by the sea').waitFor()
    await page.getByText('A flat').waitFor()
    const address = page.url()
    expect(sent.join('\n')).not.toContain(service.passphrase)

    await page.getByRole('button', { name: 'Your account' }).click()
    await page.getByRole('menuitem', { name: 'Lock' }).click()
    await page.getByRole('heading', { name: 'Welcome back, Harborline Homes' }).waitFor()
    await page.getByLabel('Password', { exact: true }).fill(company.password)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByLabel('Passphrase of the service').waitFor()
    expect(page.url()).toBe(address)
    expect(await page.getByText('Mara by the sea').count()).toBe(0)
    expect(complaints).toEqual([])
  },
)

test('the first load, compressed and with the files of the worker, is within its budget', LONG, async () => {
  const { browser, url } = portal
  const begin = 'Register a company'
  const loaded = await firstLoad(browser, url, (page) => page.getByRole('link', { name: begin }).waitFor())
  expect(loaded.files.some((path) => path.startsWith('/assets/main-'))).toBe(true)
  expect(loaded.kilobytes).toBeLessThan(180)
})
