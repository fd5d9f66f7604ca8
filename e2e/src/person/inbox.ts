import { buffer } from 'node:stream/consumers'
import type { Person } from '@sealpost/testkit'
import type { Page } from 'playwright-core'
import { setPasscode, signIn } from './acts.ts'
import { openOffice } from './office.ts'
import { openPersonApp, viewports } from './person-app.ts'

const PASSCODE = '482913'

export const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
export const link = (page: Page, name: string | RegExp) => page.getByRole('link', { name })

/** A person with a passkey on a phone, and a clinic that writes to her. */
export async function openPhone({ keepsApp = false } = {}) {
  const app = await openPersonApp()
  const person = await app.world.person({ region: 'us', displayName: 'Mara Lind' })
  const clinic = await openOffice(app.world, person, 'Northwind Clinic', 'Patient intake')
  const phone = await app.device({ authenticator: 'prf', keepsApp })
  await openUnlock(phone.page, person)
  await phone.page.getByRole('button', { name: 'Use this' }).click()
  await phone.page.getByText('This device', { exact: true }).waitFor()
  return { app, person, clinic, phone }
}

/** With a desk as well, which has a passcode; the phone opens without a network, too. */
export async function openInbox() {
  const opened = await openPhone({ keepsApp: true })
  const desk = await opened.app.device(viewports.desk)
  await openUnlock(desk.page, opened.person)
  await setPasscode(desk.page, PASSCODE)
  await desk.page.getByText('This device', { exact: true }).waitFor()
  return { ...opened, desk }
}

async function openUnlock(page: Page, { email, password }: Person): Promise<void> {
  await signIn(page, email, password)
  await link(page, 'Open without your password').click()
}

/** From any page, by the links that a person has. */
export async function openHalf(page: Page, name: 'Papers' | 'Messages'): Promise<void> {
  await link(page, /^Inbox/).click()
  const halves = page.getByRole('navigation', { name: 'Inbox' })
  await halves.getByRole('link', { name }).click()
  await page.getByRole('heading', { name, level: 1 }).waitFor()
}

/** What the browser puts into the folder of downloads. */
export async function saveFileOf(page: Page): Promise<{ readonly name: string; readonly bytes: Buffer }> {
  const [download] = await Promise.all([page.waitForEvent('download'), button(page, 'Save the file').click()])
  return { name: download.suggestedFilename(), bytes: await buffer(await download.createReadStream()) }
}
