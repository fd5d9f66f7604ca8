import { bodyOf, listOf, scaled } from '@sealpost/testkit'
import { describe, expect, test } from 'vitest'
import { answers } from '../hostile-server/edit.ts'
import { leaksIn } from '../hostile-server/leaks.ts'
import type { Seen } from '../hostile-server/proxy.ts'
import { go } from './acts.ts'
import { type PageLie, SECRET } from './hostile-acts.ts'
import { loginPageLies, openPageLies } from './hostile-lies.ts'
import { openHostileStage, PASSCODE, reopen } from './hostile-stage.ts'
import { injections, writeInto } from './injections.ts'
import { attempt } from './shop.ts'

// The built app in a browser, an honest installation, and servers between them that change members of answers.
const stage = await openHostileStage()
const { device } = stage
const visitor = await stage.app.device()
await visitor.page.getByRole('link', { name: 'I have an account' }).click()
const LONG = { timeout: scaled(60_000) }

const cases = (lies: readonly PageLie[]) => lies.map((lie) => [lie.name, lie] as const)

/** Calls that send something of the person. */
function sentIn(seen: readonly Seen[]): readonly string[] {
  const isReading = (method: string, path: string) => /GET|OPTIONS/.test(method) || path.startsWith('/api/session')
  return seen.flatMap(({ method, path }) => (isReading(method, path) ? [] : [`${method} ${path}`]))
}

async function tryLie(page: typeof device.page, { server, lie, act, words }: PageLie): Promise<readonly Seen[]> {
  const hostile = server(stage)
  const servers = [stage.app.us, stage.app.door]
  for (const each of servers) each.tell(null)
  if (page === device.page) await go(page, '/settings')
  await act(stage, page, () => {
    for (const each of servers) each.tell(each === hostile ? lie(stage) : null)
  })
  await page.getByRole('alert').getByText(words).first().waitFor()
  expect(hostile.changed).toBeGreaterThan(0)
  const seen = servers.flatMap((each) => each.seen)
  for (const each of servers) each.tell(null)
  expect(await leaksIn(seen, stage.operator, SECRET)).toEqual([])
  return seen
}

describe('refused in words, and nothing is sent:', () => {
  test.each(cases(loginPageLies))('%s', LONG, async (_, lie) => {
    const seen = await tryLie(visitor.page, lie)
    expect(sentIn(seen)).toEqual([])
    // A verifier that was derived as the server wishes would let it guess the password.
    if (lie.server(stage) === stage.app.door && !lie.name.includes('region'))
      expect(seen.filter(({ method }) => method === 'POST')).toEqual([])
  })

  test.each(cases(openPageLies))('%s', LONG, async (_, lie) => {
    const seen = await tryLie(device.page, lie)
    const isAfterSending = lie.name.startsWith('the browser') || lie.name.startsWith('a sign-in waits')
    if (!isAfterSending) expect(sentIn(seen)).toEqual([])
    // What the worker was told when it was opened stays in it.
    if (seen.some(({ path }) => path === '/api/account')) await reopen(device.page)
  })
})

test(
  'what a company is given is sealed by what the person was shown, whatever the server says later',
  LONG,
  async () => {
    const { page } = device
    const { shop, app, operator } = stage
    app.door.tell(null)
    const { query } = attempt(shop.app, { mode: 'one_time', response_mode: 'detached' })
    await go(page, `/consent?${new URLSearchParams(query).toString()}`)
    await page.getByRole('heading', { name: 'Give Harborline Bank something once?' }).waitFor()
    await page.getByLabel('Write it now').first().check()
    await page.getByLabel('mail', { exact: true }).fill('mara@post.example')
    const plaintext = { 'app.claims_delivery': 'plaintext', 'app.public_key': operator.publicKey, mode: 'signin' }
    app.door.tell(answers('GET', /^\/oauth2\/authorize$/, plaintext))
    await page.getByRole('button', { name: 'Give it once' }).click()
    await page.getByRole('heading', { name: 'Done' }).waitFor()
    expect(await leaksIn(app.door.seen, operator, /mara@post\.example/)).toEqual([])
    app.door.tell(null)
  },
)

test('an app that is said to take text gets nothing until the person has agreed to that', LONG, async () => {
  const { page } = device
  const { shop, app, operator } = stage
  app.door.tell(answers('GET', /^\/oauth2\/authorize$/, { 'app.claims_delivery': 'plaintext' }))
  const { query } = attempt(shop.app, { mode: 'signin', response_mode: 'detached' })
  await go(page, `/consent?${new URLSearchParams(query).toString()}`)
  await page.getByLabel('Write it now').first().check()
  await page.getByLabel('mail', { exact: true }).fill('mara@post.example')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByText('Agree to plain text first, or refuse.').waitFor()
  expect(await leaksIn(app.door.seen, operator, /mara@post\.example/)).toEqual([])
  app.door.tell(null)
})

/** Every page of an open account, as a company or the server can fill it. */
const PAGES = [
  '/',
  '/data',
  `/data/${stage.mara.field('first_name')}`,
  '/data/new',
  '/sees',
  '/connect',
  '/sign-ins',
  `/connect/${stage.gym.code}`,
  `/connections/${stage.connectionId}`,
  `/connections/${stage.connectionId}/end`,
  '/settings',
  '/settings/devices',
  '/settings/notices',
  '/settings/unlock',
  '/settings/password',
  '/settings/export',
  '/settings/delete',
  `/consent?${new URLSearchParams(attempt(stage.shop.app, { scope: 'openid' }).query).toString()}`,
  `/consent?${new URLSearchParams(attempt(stage.pharmacy.app, { mode: 'connect' }).query).toString()}`,
]

test('no text of a company or of the server is run, on any page', LONG, async () => {
  const { page, complaints } = device
  const { us, door } = stage.app
  await bodyOf(
    stage.clinic.data('POST', '/api/service-2fa/challenges', {
      body: { share_code: stage.mara.shareCode, idempotency_key: 'injected', context: 'A reason' },
    }),
  )
  complaints.length = 0
  const changed = new Set<string>()
  expect(injections.length).toBeGreaterThanOrEqual(100)
  const most = 4
  for (let round = 0; round < most; round += 1) {
    const text = injections.filter((_, at) => at % most === round).join(' ')
    for (const server of [us, door]) server.tell(writeInto(text, changed))
    for (const path of PAGES) {
      await go(page, path)
      await page.locator('h1').first().waitFor()
      await expect.poll(() => page.getByText(/^(Opening …|Reading what is asked …)$/).count()).toBe(0)
    }
  }
  for (const server of [us, door]) server.tell(null)
  console.log(`${injections.length} texts in ${changed.size} members: ${[...changed].toSorted().join(', ')}`)
  for (const name of ['display_name', 'name', 'label', 'context', 'company_name', 'service_name'])
    expect([...changed]).toContain(name)
  expect(await page.evaluate('globalThis.injected')).toBeUndefined()
  expect(await page.locator('script[src*=evil], base, iframe, object, embed, img[onerror]').count()).toBe(0)
  expect(complaints.filter((complaint) => complaint.startsWith('the policy refused'))).toEqual([])
  await reopen(page)
  await page.getByRole('button', { name: 'Deny' }).click()
  await page.getByRole('button', { name: 'Close' }).click()
})

test('an answer of any shape ends in words, and never in an empty page', LONG, async () => {
  const { page } = device
  const { us, door } = stage.app
  for (const shape of [null, [], 7, 'text', {}, { items: 7 }, { items: [null] }]) {
    for (const server of [us, door]) server.tell(({ path }) => (path.startsWith('/api/session') ? undefined : shape))
    for (const path of PAGES) {
      await go(page, path)
      await expect.poll(() => page.locator('h1').count()).toBeGreaterThan(0)
    }
  }
  for (const server of [us, door]) server.tell(null)
  await reopen(page)
  await go(page, '/data')
  await page.getByText('What you have written').waitFor()
})

describe('a connection that drops', () => {
  test('neither loses an edit nor does it twice', LONG, async () => {
    const { page, context } = device
    const { app, mara, clinic, connectionId } = stage
    const field = `/data/${mara.field('first_name')}`
    const updates = async (): Promise<number> =>
      listOf((await bodyOf(clinic.data('GET', '/api/company-data/changes?limit=100')))['changes']).filter(
        ({ event, connection_id: id }) => event === 'field_updated' && id === connectionId,
      ).length
    const before = await updates()
    await go(page, field)
    await page.getByLabel('First name').fill('Mara Once')
    app.us.loseAnswer(({ method, path }) => method === 'PUT' && path.startsWith('/api/contact-data/'))
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved and sealed.').waitFor()
    await expect.poll(() => clinic.value(connectionId, 'name'), { timeout: scaled(20_000) }).toBe('Mara Once')
    expect((await updates()) - before).toBe(1)

    await page.getByLabel('First name').fill('Mara Later')
    await context.setOffline(true)
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Sealpost cannot be reached.').first().waitFor()
    expect(await page.getByLabel('First name').inputValue()).toBe('Mara Later')
    await context.setOffline(false)
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved and sealed.').waitFor()
    await expect.poll(() => clinic.value(connectionId, 'name'), { timeout: scaled(20_000) }).toBe('Mara Later')
  })

  test('connects once, although the answer was lost', LONG, async () => {
    const { page } = device
    const { app, mara, gym } = stage
    const before = (await mara.connections()).length
    await go(page, `/connect/${gym.code}`)
    app.us.loseAnswer(({ method, path }) => method === 'POST' && path === '/api/company-connections')
    await page.getByRole('button', { name: 'Connect and share' }).click()
    await page.getByText('Membership sees one thing of yours.').waitFor()
    expect(await mara.connections()).toHaveLength(before + 1)
  })

  test('leaves a locked app that opens without a network, and says what it cannot do', LONG, async () => {
    const { page, context } = device
    await expect.poll(() => page.evaluate<boolean>('navigator.serviceWorker.controller !== null')).toBe(true)
    await context.setOffline(true)
    await page.goto(`${stage.app.url}/data`)
    await page.getByRole('heading', { name: 'Welcome back, Mara' }).waitFor()
    await page.getByLabel('Your passcode').fill(PASSCODE)
    await page.getByRole('button', { name: 'Open' }).click()
    await page.getByText('Sealpost cannot be reached.').first().waitFor()
    await context.setOffline(false)
    await page.getByLabel('Your passcode').fill(PASSCODE)
    await page.getByRole('button', { name: 'Open' }).click()
    await page.getByText('What you have written').waitFor()
  })
})
