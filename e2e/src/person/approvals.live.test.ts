import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { bodyOf, enroll, refused, scaled } from '@sealpost/testkit'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { go, setPasscode, signIn } from './acts.ts'
import { findBarriers } from './axe.ts'
import { clientOf } from './client-of.ts'
import { openPersonApp, viewports } from './person-app.ts'
import { attempt, openShop } from './shop.ts'

const RAISE = '/api/service-2fa/challenges'
const ASK = 'Is this you signing in at Harborline Bank?'
const REASON = 'Online banking, Firefox on Windows, Göteborg'
const PASSCODE = '482913'
const LONG = { timeout: scaled(120_000) }
/** `PICTURES=folder` keeps pictures. */
const pictures = process.env['PICTURES']

const app = await openPersonApp()
const { world } = app
const bank = await openShop(world, 'Harborline Bank')
const { service } = bank
await bodyOf(service.portal('PUT', `${service.path}/number-matching`, { body: { number_matching: true } }))
const person = await world.person({ region: 'us', displayName: 'Mara Lind' })
await clientOf(person).connect(service.code, { first: { value: 'Mara' } })
await enroll(world, service.client, person)

const phone = await app.device({ authenticator: 'prf', colorScheme: 'light' })
await openUnlock(phone.page)
await phone.page.getByRole('button', { name: 'Use this' }).click()
await phone.page.getByText('This device', { exact: true }).waitFor()
const desk = await app.device({ ...viewports.desk, colorScheme: 'dark' })
await openUnlock(desk.page)
await setPasscode(desk.page, PASSCODE)
await desk.page.getByText('This device', { exact: true }).waitFor()

let raised = 0

async function raise() {
  raised += 1
  const body = { share_code: person.shareCode, idempotency_key: `login-${raised}`, context: REASON }
  const made = await bodyOf(service.data('POST', RAISE, { body }))
  const digits = String(made['matching_digits'])
  return {
    digits,
    wrong: digits === '10' ? '11' : '10',
    status: async () => (await bodyOf(service.data('GET', `${RAISE}/${String(made['challenge_id'])}`)))['status'],
  }
}

const card = (page: Page) => page.getByRole('dialog', { name: ASK })
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

async function close(page: Page, title: string): Promise<void> {
  await page.getByRole('dialog', { name: title }).waitFor()
  await button(page, 'Close').click()
  await expect.poll(() => page.getByRole('dialog').count()).toBe(0)
}

describe('a card', () => {
  test(
    'comes at once to every open device, is approved with the number, and goes from the others [PERSON-03]',
    LONG,
    async () => {
      const { digits, wrong, status } = await raise()
      const began = performance.now()
      await card(phone.page).waitFor()
      console.log(`the card was on the screen ${Math.round(performance.now() - began)} ms after the company's answer`)
      await card(desk.page).waitFor()
      await phone.page.getByText(REASON).waitFor()
      await phone.page.getByText(/In the words of Harborline Bank, at \d\d:\d\d/).waitFor()
      await button(phone.page, 'Approve').click()
      await phone.page.getByText('Two digits stand on the screen').waitFor()
      await phone.page.getByLabel('Type the number').fill(wrong)
      await button(phone.page, 'Approve').click()
      await phone.page.getByText('That is not the number on the other screen.').waitFor()
      expect(await status()).toBe('pending')
      await phone.page.getByLabel('Type the number').fill(digits)
      await button(phone.page, 'Approve').click()
      await close(phone.page, 'Approved')
      await expect.poll(() => card(desk.page).count()).toBe(0)
      expect(await status()).toBe('approved')
      expect(phone.sent.join('\n')).not.toContain('"prf"')
    },
  )

  test('is approved only behind the passcode, and denied without it [PERSON-03]', LONG, async () => {
    const first = await raise()
    await desk.page.getByLabel('Type the number').fill(first.digits)
    await desk.page.getByLabel('Your passcode').fill('000000')
    await button(desk.page, 'Approve').click()
    await desk.page.getByText('That is not your passcode.').waitFor()
    expect(await first.status()).toBe('pending')
    await desk.page.getByLabel('Type the number').fill(first.digits)
    await desk.page.getByLabel('Your passcode').fill(PASSCODE)
    await button(desk.page, 'Approve').click()
    await close(desk.page, 'Approved')
    expect(await first.status()).toBe('approved')
    await expect.poll(() => card(phone.page).count()).toBe(0)

    const second = await raise()
    await card(desk.page).waitFor()
    await button(desk.page, 'Deny').click()
    await close(desk.page, 'Denied')
    await expect.poll(() => card(phone.page).count()).toBe(0)
    expect(await second.status()).toBe('denied')
  })

  test('is denied after three wrong numbers', LONG, async () => {
    const { wrong, status } = await raise()
    for (let attempts = 0; attempts < 3; attempts += 1) {
      await phone.page.getByLabel('Type the number').fill(wrong)
      await button(phone.page, 'Approve').click()
      await expect
        .poll(() =>
          phone.page
            .getByLabel('Type the number')
            .inputValue()
            .catch(() => ''),
        )
        .toBe('')
    }
    await close(phone.page, 'Denied after three wrong numbers')
    await expect.poll(() => card(desk.page).count()).toBe(0)
    expect(await status()).toBe('denied')
  })

  test('is answered by keyboard alone, or put off with Escape and found again', LONG, async () => {
    const { digits, status } = await raise()
    const { page } = desk
    await card(page).waitFor()
    await page.keyboard.press('Escape')
    await expect.poll(() => card(page).count()).toBe(0)
    await page.getByRole('navigation').getByRole('link', { name: 'Settings' }).press('Enter')
    await page.getByRole('link', { name: 'Sign-ins that you confirm' }).press('Enter')
    await page.getByRole('button', { name: 'Answer Harborline Bank' }).press('Enter')
    await card(page).waitFor()
    await page.keyboard.type(digits)
    await page.keyboard.press('Tab')
    await page.keyboard.type(PASSCODE)
    await page.keyboard.press('Enter')
    await page.getByRole('dialog', { name: 'Approved' }).waitFor()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0)
    await expect.poll(() => card(phone.page).count()).toBe(0)
    expect(await status()).toBe('approved')
  })

  test('ends when its time is over', LONG, async () => {
    const { page } = phone
    await page.clock.install()
    await raise()
    await card(page).waitFor()
    await page.getByText(/ends in 5:00|ends in 4:/).waitFor()
    world.clock.advance(300_001)
    await page.clock.fastForward(301_000)
    await page.getByRole('dialog', { name: 'This request has ended' }).waitFor()
    await button(page, 'Close').click()
    await page.clock.resume()
    await desk.page.reload()
    await desk.page.getByLabel('Your passcode').fill(PASSCODE)
    await button(desk.page, 'Open').click()
    await desk.page.getByRole('heading', { name: 'Sign-ins' }).waitFor()
    expect(await card(desk.page).count()).toBe(0)
  })
})

test('the new pages have no barrier, in both languages and looks', LONG, async () => {
  const found: string[] = []
  const { status } = await raise()
  for (const [{ page }, look] of [
    [phone, 'phone-light'],
    [desk, 'desk-dark'],
  ] as const) {
    await card(page).waitFor()
    await examine(page, `card-${look}`, found)
    await page.emulateMedia({ colorScheme: look === 'phone-light' ? 'dark' : 'light' })
    await examine(page, `card-${look}-turned`, found)
    await page.emulateMedia({ colorScheme: look === 'phone-light' ? 'light' : 'dark' })
  }
  await button(phone.page, 'Deny').click()
  await close(phone.page, 'Denied')
  expect(await status()).toBe('denied')
  await phone.page.getByRole('navigation').getByRole('link', { name: 'Settings' }).click()
  await phone.page.getByRole('link', { name: 'Sign-ins that you confirm' }).click()
  await phone.page.getByRole('button', { name: 'End for Harborline Bank' }).waitFor()
  await examine(phone.page, 'sign-ins-phone-light', found)

  const german = await app.device({ locale: 'de-DE', colorScheme: 'dark' })
  const gym = await openShop(world, 'Vasa Fitness')
  await german.page.goto(gym.address(gym.enrolment({ response_mode: 'detached' })))
  await german.page.getByRole('link', { name: 'Ich habe ein Konto' }).click()
  await german.page.getByLabel('E-Mail-Adresse').fill(person.email)
  await german.page.getByLabel('Passwort', { exact: true }).fill(person.password)
  await german.page.locator('button[type=submit]').click()
  await german.page.getByRole('heading', { name: 'Anmeldungen bei Vasa Fitness hier bestätigen?' }).waitFor()
  await examine(german.page, 'consent-enroll-german-dark', found)
  await go(german.page, `/consent?${new URLSearchParams(attempt(gym.app, { mode: 'connect' }).query).toString()}`)
  await german.page.getByRole('heading', { name: 'Mit Vasa Fitness verbinden?' }).waitFor()
  await german.page.emulateMedia({ colorScheme: 'light' })
  await examine(german.page, 'consent-connect-german-light', found)
  await raise()
  await german.page.getByRole('dialog', { name: 'Melden Sie sich gerade bei Harborline Bank an?' }).waitFor()
  await examine(german.page, 'card-german-light', found)
  expect(await german.page.getByRole('button', { name: 'Bestätigen' }).count()).toBe(0)
  await german.page.getByRole('button', { name: 'Ablehnen' }).last().click()
  await german.page.getByRole('dialog', { name: 'Abgelehnt' }).waitFor()
  expect(found).toEqual([])
  expect([...phone.complaints, ...desk.complaints, ...german.complaints]).toEqual([])
  await german.context.close()
})

test('a sign-in by another person is reported, and the company cannot ask for an hour', LONG, async () => {
  const { status } = await raise()
  await card(phone.page).waitFor()
  await button(phone.page, 'It wasn’t me').click()
  await close(phone.page, 'Reported')
  await expect.poll(() => card(desk.page).count()).toBe(0)
  expect(await status()).toBe('denied')
  const again = { share_code: person.shareCode, idempotency_key: 'muted', context: REASON }
  expect(await service.data('POST', RAISE, { body: again })).toMatchObject(refused(404, 'twofa.person_not_found'))
})

test('the person ends an enrolment [PERSON-04]', LONG, async () => {
  await phone.page.getByRole('button', { name: 'End for Harborline Bank' }).click()
  await phone.page.getByText('No company asks you yet.').waitFor()
  const left: string[] = []
  for await (const { service_id: id } of clientOf(person).twofa.enrollments()) left.push(id)
  expect(left).toEqual([])
})

async function openUnlock(page: Page): Promise<void> {
  await signIn(page, person.email, person.password)
  await page.getByRole('link', { name: 'Open without your password' }).click()
}

async function examine(page: Page, name: string, found: string[]): Promise<void> {
  // A colour that is still changing has no contrast to speak of.
  await page.evaluate('Promise.all(document.getAnimations().map((each) => each.finished.catch(() => {})))')
  await page.evaluate('document.fonts.ready')
  for (const barrier of await findBarriers(page)) found.push(`${name}: ${barrier}`)
  const overflow = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')
  if (overflow > 0) found.push(`${name}: is ${overflow} px too wide`)
  if (pictures === undefined) return
  mkdirSync(pictures, { recursive: true })
  await page.screenshot({ path: join(pictures, `${name}.png`), animations: 'disabled' })
}
