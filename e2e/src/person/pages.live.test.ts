import { mkdirSync } from 'node:fs'
import { get } from 'node:http'
import { join } from 'node:path'
import { scaled } from '@sealpost/testkit'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { signIn } from './acts.ts'
import { findBarriers } from './axe.ts'
import { makeDemo } from './demo.ts'
import { openPersonApp, viewports } from './person-app.ts'

const app = await openPersonApp()
const { person, clinicConnection, gym } = await makeDemo(app.world)
const LONG = { timeout: scaled(240_000) }
const BUDGET_KB = 200
/** `PICTURES=folder` keeps a picture of every page. */
const pictures = process.env['PICTURES']

const address = person.field('address')
/** Every page by a name, its address and something that is there when it is complete. */
const pages = [
  { name: 'home', path: '/', sign: 'Waits for you' },
  { name: 'data', path: '/data', sign: 'What you have written' },
  { name: 'field', path: `/data/${address}`, sign: 'Who sees it' },
  { name: 'empty-field', path: `/data/${person.field('email')}`, sign: 'Not filled in yet.' },
  { name: 'new-field', path: '/data/new', sign: 'What kind is it?' },
  { name: 'sees', path: '/sees', sign: 'Companies' },
  { name: 'connect', path: '/connect', sign: 'Look it up' },
  { name: 'offer', path: `/connect/${gym.code}`, sign: 'Connect and share' },
  { name: 'connection', path: `/connections/${clinicConnection}`, sign: 'What it sees' },
  { name: 'end', path: `/connections/${clinicConnection}/end`, sign: 'What follows' },
  { name: 'settings', path: '/settings', sign: 'Lock now' },
  { name: 'devices', path: '/settings/devices', sign: 'No device is set up yet.' },
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

const looks = [
  { look: 'phone-light', options: { ...viewports.phone, colorScheme: 'light' } },
  { look: 'phone-dark', options: { ...viewports.phone, colorScheme: 'dark' } },
  { look: 'desk-light', options: { ...viewports.desk, colorScheme: 'light' } },
  { look: 'desk-dark', options: { ...viewports.desk, colorScheme: 'dark' } },
] as const

describe.each(looks)('every page, $look,', ({ look, options }) => {
  test('has no barrier, stays within its width and within its policy', LONG, async () => {
    const { page, complaints } = await app.device(options)
    const found: string[] = []
    const examine = async (name: string, sign: string): Promise<void> => {
      await page.getByText(sign).first().waitFor()
      await page.evaluate('document.fonts.ready')
      for (const barrier of await findBarriers(page)) found.push(`${name}: ${barrier}`)
      const overflow = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')
      if (overflow > 0) found.push(`${name}: is ${overflow} px too wide`)
      await keepPicture(page, `${name}-${look}`)
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

test('the first load, compressed, is within its budget', async () => {
  const context = await app.browser.newContext({ serviceWorkers: 'block' })
  const page = await context.newPage()
  const asked = new Set<string>()
  context.on('request', (request) => asked.add(new URL(request.url()).pathname))
  await page.goto(app.url)
  await page.getByRole('link', { name: 'Begin' }).waitFor()
  await page.waitForLoadState('networkidle')
  // Asked for once more: a browser does not tell the sizes of what its workers load.
  const files = await Promise.all([...asked].map(async (path) => [path, await compressedBytes(path)] as const))
  const kilobytes = files.reduce((sum, [, bytes]) => sum + bytes, 0) / 1000
  console.log(`first load: ${kilobytes.toFixed(1)} KB in ${files.length} files, of ${BUDGET_KB} KB`)
  for (const [path, bytes] of files) console.log(`  ${(bytes / 1000).toFixed(1).padStart(6)} KB ${path}`)
  expect(files.some(([path]) => path.startsWith('/assets/main-'))).toBe(true)
  expect(kilobytes).toBeLessThan(BUDGET_KB)
})

test('the app opens without a network, once it has been opened', async () => {
  const { page, context } = await app.device()
  await page.getByRole('link', { name: 'Begin' }).waitFor()
  await page.evaluate('navigator.serviceWorker.ready')
  await expect.poll(() => page.evaluate<boolean>('navigator.serviceWorker.controller !== null')).toBe(true)
  await context.setOffline(true)
  await page.goto(`${app.url}/register`)
  await page.getByLabel('Name').waitFor()
  await page.getByText('Sealpost cannot be reached.').waitFor()
  expect(await page.title()).toContain('Sealpost')
})

/** As it is sent. */
function compressedBytes(path: string): Promise<number> {
  return new Promise((resolve, reject) => {
    get(`${app.url}${path}`, { headers: { 'accept-encoding': 'gzip' } }, (response) => {
      let bytes = 0
      response.on('data', (part: Buffer) => (bytes += part.length))
      response.on('end', () => resolve(bytes))
    }).on('error', reject)
  })
}

/** As a link of the app does: without loading it, which would lock it. */
async function go(page: Page, path: string): Promise<void> {
  await page.evaluate(`(() => {
    const link = Object.assign(document.createElement('a'), { href: ${JSON.stringify(path)} })
    document.body.append(link)
    link.click()
    link.remove()
  })()`)
}

async function keepPicture(page: Page, name: string): Promise<void> {
  if (pictures === undefined) return
  mkdirSync(pictures, { recursive: true })
  // As tall as its content, so that what is fixed at the edge of the screen stands there.
  const { width = 0, height = 0 } = page.viewportSize() ?? {}
  const whole = await page.evaluate<number>('document.documentElement.scrollHeight')
  await page.setViewportSize({ width, height: Math.max(height, whole) })
  await page.screenshot({ path: join(pictures, `${name}.png`), animations: 'disabled' })
  await page.setViewportSize({ width, height })
}
