import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { APP_ORIGIN, scaled, testSeal } from '@sealpost/testkit'
import { expect, test } from 'vitest'
import { openGuide } from '../guides/snippets.ts'
import { tryRecoveryCode } from './acts.ts'
import { button, link, saveFileOf } from './inbox.ts'
import { keepPicture } from './keep-picture.ts'
import { contractPdf } from './office.ts'
import { openPersonApp } from './person-app.ts'

const LONG = { timeout: scaled(240_000) }
const SOON = { timeout: scaled(60_000) }
const PASSWORD = 'plum kettle orbit'

const app = await openPersonApp()
const { world } = app
const guide = await openGuide('docs/guides/contract-in-the-app.md', world)
const write = (name: string, content: Uint8Array | string): void => writeFileSync(join(guide.folder, name), content)

test('the way of the guide: from an empty installation to a signed, sealed and verified contract', LONG, async () => {
  const company = await world.company({ region: 'eu', displayName: 'Northwind Clinic' })
  const ran = new Set<string>()
  const run = (name: string): Promise<string> => {
    ran.add(name)
    const { email: EMAIL, password } = company
    return guide.run(name, { FRONT_DOOR: world.frontDoor.url, PORTAL: APP_ORIGIN, EMAIL, PASSWORD: password })
  }
  write('treatment.pdf', contractPdf('Treatment agreement', 1))
  write('platform-ca.pem', testSeal().root)
  const code = await run('service')

  // The person registers in the browser.
  const { page, complaints, sent } = await app.device({ authenticator: 'prf' })
  const keep = (name: string): Promise<void> => keepPicture(page, `contract-in-the-app-${name}`)
  await link(page, 'Begin').click()
  await page.getByLabel('Name').fill('Mara Lind')
  await page.getByLabel('E-mail address').fill('mara@lind.example')
  await page.getByLabel('United States').check()
  await keep('1-register')
  await button(page, 'Go on').click()
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await button(page, 'Go on').click()
  const digits = await world.mail.waitForCode('mara@lind.example', 'confirmation')
  await page.getByLabel('The six digits').fill(digits)
  await button(page, 'Go on').click()
  const groups = page.getByRole('list', { name: 'Your recovery code' }).getByRole('listitem')
  await groups.first().waitFor()
  await keep('2-recovery')
  await tryRecoveryCode(page, (await groups.allTextContents()).join('-'))
  await page.getByLabel('Fingerprint, face or device PIN').check()
  await button(page, 'Use this').click()
  await page.getByText('Nothing waits for you.').waitFor()
  await keep('3-home')

  await link(page, 'Connect to a company').click()
  await page.getByLabel('Code').fill(code)
  await button(page, 'Look it up').click()
  await page.getByRole('heading', { name: 'Connect to Northwind Clinic?' }).waitFor()
  await page.getByRole('radio', { name: 'Write it now' }).check()
  await page.getByLabel('First name', { exact: true }).fill('Marabella')
  await keep('4-offer')
  await button(page, 'Connect and share').click()
  await page.getByText('Patient intake sees one thing of yours.').waitFor()
  await keep('5-connected')

  await expect.poll(() => run('contract'), SOON).toBe('Marabella ready_to_sign')
  await link(page, 'Home').click()
  await link(page, /Treatment agreement/).click()
  await page.getByText('The patient pays within thirty days.').waitFor()
  await keep('6-to-sign')
  await button(page, 'Sign').click()
  await page.getByText('Checked on this device: unchanged since it was sealed.').waitFor()
  await page.getByText('The patient pays within thirty days.').waitFor()
  await keep('7-sealed')
  const { name, bytes } = await saveFileOf(page)
  write(name, bytes)
  await expect
    .poll(async () => (await run('verify')).split('\n'), SOON)
    .toEqual(['valid signed by biometric', 'the PDF that was sent', 'active the recorded file'])
  for (const plain of [PASSWORD, 'Marabella', 'thirty days']) expect(sent.join('\n')).not.toContain(plain)
  expect(complaints).toEqual([])
  expect([...ran].toSorted()).toEqual([...guide.names].toSorted())
})
