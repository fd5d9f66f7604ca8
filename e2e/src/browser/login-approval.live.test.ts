import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { addDevice, bodyOf, enroll, listOf, openWorld, refused, ROOT, scaled } from '@sealpost/testkit'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { borrowBrowser } from './shared-browser.ts'

const CARDS = '/api/customer/2fa/challenges'
const SOON = { timeout: scaled(20_000) }
const world = await openWorld()
const service = await world.service([])
const { person } = await world.customer(service, [])
await bodyOf(service.portal('PUT', `${service.path}/number-matching`, { body: { number_matching: true } }))
await enroll(world, service.client, person)
const device = await addDevice(person)
const stranger = await world.person()
const browser = await borrowBrowser(world)

/** The example, as its README starts it. */
async function startExample(framework: string): Promise<string> {
  const program = spawn(process.execPath, [join(ROOT, 'examples/login-approval', `${framework}.js`)], {
    env: {
      PATH: process.env['PATH'],
      PORT: '0',
      FRONT_DOOR: world.frontDoor.url,
      CLIENT_ID: service.client.clientId,
      CLIENT_SECRET: service.client.clientSecret,
      USERS: JSON.stringify({ mara: person.shareCode, ana: stranger.shareCode }),
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  world.onEnd(async () => {
    const ended = once(program, 'exit')
    program.kill()
    await ended
  })
  const failed = once(program, 'exit').then(([code]) =>
    Promise.reject(new Error(`${framework}.js exited with ${code}`)),
  )
  const printed = once(createInterface({ input: program.stdout }), 'line')
  const [url] = await Promise.race([printed, failed])
  failed.catch(() => {})
  return String(url)
}

/** As in another browser: without the cookies of the others. */
async function openPage(url: string): Promise<Page> {
  const context = await browser.newContext()
  const page = await context.newPage()
  await page.goto(url)
  return page
}

async function expectLoggedOut(page: Page): Promise<void> {
  const { user } = await page.evaluate<{ user: unknown }>(`fetch('/me').then((answer) => answer.json())`)
  expect(user).toBeNull()
}

async function openLogin(
  url: string,
  name: string,
): Promise<{ readonly page: Page; readonly digits: () => Promise<string> }> {
  const page = await openPage(url)
  await page.getByLabel('Name').fill(name)
  await page.getByRole('button', { name: 'Log in' }).click()
  return {
    page,
    async digits() {
      await page.locator('output').waitFor()
      return (await page.locator('output').textContent()) ?? ''
    },
  }
}

async function cardId(): Promise<string> {
  const cards = async () => listOf((await bodyOf(person.calls('GET', CARDS)))['challenges'])
  await expect.poll(async () => (await cards()).length).toBe(1)
  return String((await cards())[0]?.['id'])
}

const shown = (page: Page, role: 'status' | 'alert') => page.getByRole(role).first().textContent()
const REFUSED = 'The login was refused.'
const pages = [
  ['express', await startExample('express')],
  ['fastify', await startExample('fastify')],
] as const

describe.each(pages)('the login page in %s', (_framework, url) => {
  test('is logged in when the person has approved with its digits, and no other browser is', async () => {
    const { page, digits } = await openLogin(url, 'mara')
    const typed = await digits()
    expect(typed).toMatch(/^\d\d$/)
    const id = await cardId()
    const approve = (matching_digits: string) =>
      person.calls('POST', `${CARDS}/${id}/approve`, { body: { matching_digits, assertion: device.sign(id) } })
    expect(await approve(typed === '10' ? '11' : '10')).toMatchObject(refused(400, 'twofa.digits_mismatch'))
    expect(await page.getByText('Logged in').isVisible()).toBe(false)
    expect((await approve(typed)).status).toBe(200)
    await expect.poll(() => shown(page, 'status'), SOON).toBe('Logged in as mara')
    await page.reload()
    await expect.poll(() => shown(page, 'status'), SOON).toBe('Logged in as mara')
    await expectLoggedOut(await openPage(url))
  })

  test('refuses a login that the person denies', async () => {
    const { page, digits } = await openLogin(url, 'mara')
    await digits()
    await bodyOf(person.calls('POST', `${CARDS}/${await cardId()}/deny`))
    await expect.poll(() => shown(page, 'alert'), SOON).toBe(REFUSED)
    await page.reload()
    await expectLoggedOut(page)
  })

  test('refuses a login that has expired', async () => {
    const { page, digits } = await openLogin(url, 'mara')
    await digits()
    await cardId()
    world.clock.advance(300_000)
    await expect.poll(() => shown(page, 'alert'), SOON).toBe(REFUSED)
    await page.reload()
    await expectLoggedOut(page)
  })

  test.each(['ana', 'unknown'])('refuses a user who has not enrolled: %s', async (name) => {
    const { page } = await openLogin(url, name)
    await expect.poll(() => shown(page, 'alert'), SOON).toBe(REFUSED)
  })
})
