import { scaled } from '@sealpost/testkit'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { firstLoad } from '../browser/first-load.ts'
import { go, PASSWORD, signIn } from './acts.ts'
import { findBarriers } from './axe.ts'
import { makeDemo } from './demo.ts'
import { contract, formsOf, lease, PAPER } from './forms.ts'
import { keepPicture } from './keep-picture.ts'
import { press, reach, type } from './keyboard.ts'
import { findFaults, type Look, setLook } from './looks.ts'
import { openPersonApp, viewports } from './person-app.ts'

const app = await openPersonApp()
const { person, clinic, clinicConnection, gym, papers } = await makeDemo(app.world)
const forms = await formsOf(app.world, clinic, person, clinicConnection)
const leaseId = await forms.publish(lease())
const [turn, others] = [await forms.start(leaseId, { rent: 900 }), await forms.start(leaseId, { rent: 1200 })]
await forms.client.flows.cancel(others, 'The flat is gone.')
const signing = await forms.start(await forms.publish(contract('allowed')))
const ofPerson = { id: signing, connection_id: clinicConnection }
await forms.app.flows.answer(ofPerson, { mail: { value: person.email }, paper: { value: { file: PAPER } } })
await forms.app.flows.generate(ofPerson)
const LONG = { timeout: scaled(240_000) }
const BUDGET_KB = 200

const address = person.field('address')
/** Every page by a name, its address and something that is there when it is complete. */
const pages = [
  { name: 'home', path: '/', sign: 'Waits for you' },
  { name: 'data', path: '/data', sign: 'What you have written' },
  { name: 'field', path: `/data/${address}`, sign: 'Who sees it' },
  { name: 'document-field', path: `/data/${person.field('passport')}`, sign: 'Whose document is it?' },
  { name: 'empty-field', path: `/data/${person.field('email')}`, sign: 'Not filled in yet.' },
  { name: 'new-field', path: '/data/new', sign: 'What kind is it?' },
  { name: 'sees', path: '/sees', sign: 'Companies' },
  { name: 'connect', path: '/connect', sign: 'Look it up' },
  { name: 'offer', path: `/connect/${gym.code}`, sign: 'Connect and share' },
  { name: 'connection', path: `/connections/${clinicConnection}`, sign: 'What it sees' },
  { name: 'end', path: `/connections/${clinicConnection}/end`, sign: 'What follows' },
  { name: 'papers', path: '/papers', sign: 'Letters' },
  { name: 'paper-to-sign', path: `/papers/${clinicConnection}/${papers.toSign}`, sign: 'Either side may end' },
  { name: 'paper-signed', path: `/papers/${clinicConnection}/${papers.signed}`, sign: 'Either side may end' },
  { name: 'paper-written', path: `/papers/${clinicConnection}/${papers.letter}`, sign: 'Bring along' },
  { name: 'paper-decline', path: `/papers/${clinicConnection}/${papers.toSign}/decline`, sign: 'Your reason' },
  { name: 'paper-cancel', path: `/papers/${clinicConnection}/${papers.signed}/cancel`, sign: 'Cancel the contract' },
  { name: 'messages', path: '/messages', sign: 'Of course' },
  { name: 'thread', path: `/messages/${clinicConnection}`, sign: 'side entrance' },
  { name: 'forms', path: '/forms', sign: 'Waits for you' },
  { name: 'form', path: `/forms/${clinicConnection}/${turn}`, sign: 'What was answered' },
  { name: 'turn', path: `/forms/${clinicConnection}/${turn}/turn`, sign: 'Rent in total' },
  { name: 'form-signing', path: `/forms/${clinicConnection}/${signing}`, sign: 'Who signs' },
  { name: 'form-ended', path: `/forms/${clinicConnection}/${others}`, sign: 'The flat is gone.' },
  { name: 'end-form', path: `/forms/${clinicConnection}/${turn}/end`, sign: 'What follows' },
  { name: 'settings', path: '/settings', sign: 'Lock now' },
  { name: 'devices', path: '/settings/devices', sign: 'No device is set up yet.' },
  { name: 'notices', path: '/settings/notices', sign: 'Set up first how this device opens' },
  { name: 'unlock', path: '/settings/unlock', sign: 'Once more' },
  { name: 'password', path: '/settings/password', sign: 'Present password' },
  { name: 'export', path: '/settings/export', sign: 'Save the file' },
  { name: 'delete', path: '/settings/delete', sign: 'What follows' },
  { name: 'missing', path: '/elsewhere', sign: 'There is nothing here' },
] as const

const outside = [
  { name: 'welcome', path: '/', sign: 'Begin' },
  { name: 'register', path: '/register', sign: 'Where should your data rest?' },
  { name: 'sign-in', path: '/sign-in', sign: 'I have forgotten my password' },
  { name: 'recover', path: '/recover', sign: 'Recovery code' },
] as const

/** Colours are the same on both, and the phone is the narrower page: a further look costs a sixth of the file. */
const devices = [
  { device: 'phone', looks: ['light', 'large-text', 'right-to-left'] },
  { device: 'desk', looks: ['light', 'dark'] },
] as const satisfies readonly { readonly device: keyof typeof viewports; readonly looks: readonly Look[] }[]

/** The lines of every page in English, of at least three words. */
const english = new Map<string, readonly string[]>()
/** Written by the person or by a company, in their own language. */
const PARTIES_WROTE = [
  'Northwind Clinic',
  'Patient intake',
  'Where you live',
  'Present account',
  'Date of birth',
  'E-mail for your card',
  'Vasa Fitness',
  'Your trial week is ready.',
  'Your first visit',
  'Before your first visit',
  'Your insurance card, and a list of what you take.',
  'For your treatment from January on.',
  'May I come half an hour later on Monday?',
  'Of course. We have moved you to ten o’clock.',
  'Please use the side entrance.',
  'Sign up',
  'Your lease',
  'A plan of the flat',
  'How we call you',
  'On the door bell.',
  'What you look for',
  'Rent in total',
  'The flat is gone.',
]
/** Values of the person, names that both languages have, and lines without a word. */
const SAME_IN_BOTH = /^[^a-z]*$|Storgatan|Göteborg|SWEDSESS|Isle of Man|SE45|Mara/

async function linesOf(page: Page): Promise<readonly string[]> {
  const text = await page.evaluate<string>('document.body.innerText')
  return text.split('\n').filter((line) => !SAME_IN_BOTH.test(line) && wordsOfApp(line) >= 3)
}

function wordsOfApp(line: string): number {
  const left = PARTIES_WROTE.reduce((rest, written) => rest.replace(written, ''), line)
  return left.split(/\s+/).filter((word) => word !== '').length
}

describe.each(devices)('every page on a $device, in each look,', ({ device, looks }) => {
  test('has no barrier, stays within its width and within its policy', LONG, async () => {
    const { page, complaints } = await app.device(viewports[device])
    const found: string[] = []
    const examine = async (name: string, sign: string): Promise<void> => {
      for (const look of looks) {
        await setLook(page, look)
        await showPaper(page)
        await page.getByText(sign).first().waitFor()
        await page.evaluate('document.fonts.ready')
        for (const fault of await findFaults(page, look)) found.push(`${name}, ${look}: ${fault}`)
        await keepPicture(page, `${name}-${device}-${look}`)
      }
      await setLook(page, 'light')
      if (!english.has(name)) english.set(name, await linesOf(page))
    }
    for (const { name, path, sign } of outside) {
      await page.goto(`${app.url}${path}`)
      await examine(name, sign)
    }
    await page.goto(app.url)
    await signIn(page, person.email, person.password)
    await page.getByRole('heading', { name: 'Hello, Mara Lind' }).waitFor()
    for (const { name, path, sign } of pages) {
      await go(page, path)
      await examine(name, sign)
    }
    await page.reload()
    await examine('locked', 'Welcome back, Mara Lind')
    expect(found).toEqual([])
    expect(complaints).toEqual([])
  })
})

/** A paper is drawn when it comes near: with large text it begins far below the window. */
async function showPaper(page: Page): Promise<void> {
  const paper = page.getByRole('group', { name: /^Page 1 of/ })
  if ((await paper.count()) > 0) await paper.scrollIntoViewIfNeeded()
}

test('every page speaks German, and no sentence of another language; its long words fit', LONG, async () => {
  const { page, complaints } = await app.device({ locale: 'de-DE' })
  const found: string[] = []
  const examine = async (name: string): Promise<void> => {
    await page.locator('h1').first().waitFor()
    await expect.poll(() => page.getByText('Wird geöffnet …').count()).toBe(0)
    const lines = await linesOf(page)
    const before = english.get(name)
    if (before === undefined) found.push(`${name}: not seen in English`)
    for (const line of before ?? []) if (lines.includes(line)) found.push(`${name}: ${line}`)
    for (const look of ['light', 'large-text'] as const) {
      await setLook(page, look)
      for (const fault of await findFaults(page, look)) found.push(`${name}, ${look}: ${fault}`)
      await keepPicture(page, `${name}-german-${look}`)
    }
    await setLook(page, 'light')
  }
  for (const { name, path } of outside) {
    await page.goto(`${app.url}${path}`)
    await examine(name)
  }
  await page.goto(`${app.url}/sign-in`)
  await page.getByLabel('E-Mail-Adresse').fill(person.email)
  await page.getByLabel('Passwort', { exact: true }).fill(person.password)
  await page.locator('button[type=submit]').click()
  await page.getByRole('navigation').waitFor()
  for (const { name, path } of pages) {
    await go(page, path)
    await examine(name)
  }
  expect(found).toEqual([])
  expect(complaints).toEqual([])
})

test('a person registers, writes and connects by keyboard alone; no step has a barrier', LONG, async () => {
  const { page, complaints } = await app.device(viewports.desk)
  const found: string[] = []
  const examine = async (name: string): Promise<void> => {
    for (const barrier of await findBarriers(page)) found.push(`${name}: ${barrier}`)
  }
  const email = 'keys@pages.example'
  await press(page, 'link', 'Begin')
  await type(page, 'Name', 'Kim')
  await type(page, 'E-mail address', email)
  await reach(page, (focused) => focused.type === 'radio')
  await page.keyboard.press('Space')
  await examine('about you')
  await press(page, 'button', 'Go on')
  await type(page, 'Password', PASSWORD)
  await examine('password')
  await press(page, 'button', 'Go on')
  await type(page, 'The six digits', await app.world.mail.waitForCode(email, 'confirmation'))
  await examine('code')
  await press(page, 'button', 'Go on')
  const groups = page.getByRole('list', { name: 'Your recovery code' }).getByRole('listitem')
  await groups.first().waitFor()
  const code = await groups.allTextContents()
  await examine('recovery')
  await press(page, 'button', 'I have kept it')
  await type(page, 'The first group', code[0] ?? '')
  await type(page, 'The last group', code.at(-1) ?? '')
  await examine('recovery is tried')
  await press(page, 'button', 'It works')
  await page.getByText('Not now').waitFor()
  await examine('unlock')
  await press(page, 'button', 'Not now')
  await page.getByRole('heading', { name: 'Hello, Kim' }).waitFor()
  await press(page, 'link', 'My data')
  await press(page, 'link', 'First name')
  await type(page, 'First name', 'Kim')
  await press(page, 'button', 'Save')
  await page.getByText('Saved and sealed.').waitFor()
  await press(page, 'link', 'Who sees')
  await press(page, 'link', 'Connect to a company')
  await type(page, 'Code', gym.code)
  await press(page, 'button', 'Look it up')
  await page.getByRole('heading', { name: 'Connect to Vasa Fitness?' }).waitFor()
  await press(page, 'button', 'Connect and share')
  await page.getByText('Membership sees one thing of yours.').waitFor()
  await press(page, 'link', 'End the connection')
  await press(page, 'button', 'End connection')
  await page.getByRole('heading', { name: 'Who sees what' }).waitFor()
  expect(found).toEqual([])
  expect(complaints).toEqual([])
})

test('the first load, compressed, is within its budget', async () => {
  const loaded = await firstLoad(app.browser, app.url, (page) => page.getByRole('link', { name: 'Begin' }).waitFor())
  expect(loaded.files.some((path) => path.startsWith('/assets/main-'))).toBe(true)
  expect(loaded.kilobytes).toBeLessThan(BUDGET_KB)
})

test('the app opens without a network, once it has been opened', async () => {
  const { page, context } = await app.device({ keepsApp: true })
  await page.getByRole('link', { name: 'Begin' }).waitFor()
  await page.evaluate('navigator.serviceWorker.ready')
  await expect.poll(() => page.evaluate<boolean>('navigator.serviceWorker.controller !== null')).toBe(true)
  await context.setOffline(true)
  await page.goto(`${app.url}/register`)
  await page.getByLabel('Name').waitFor()
  await page.getByText('Sealpost cannot be reached.').waitFor()
  expect(await page.title()).toContain('Sealpost')
})
