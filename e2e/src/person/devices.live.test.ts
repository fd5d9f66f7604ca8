import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { bodyOf, enroll, listOf, scaled, startPushSink } from '@sealpost/testkit'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { go, setPasscode, signIn } from './acts.ts'
import { clientOf } from './client-of.ts'
import { saveFileOf } from './inbox.ts'
import { openPersonApp, viewports } from './person-app.ts'

const app = await openPersonApp()
const { world } = app
const LONG = { timeout: scaled(240_000) }
const PASSCODE = '482913'
const bank = await world.service(
  [
    { slug: 'first', label: 'First name' },
    { slug: 'note', label: 'A note' },
  ],
  {
    company: await world.company({ region: 'eu', displayName: 'Harborline Bank' }),
    name: 'Online banking',
  },
)
const mara = await world.person({ region: 'us', displayName: 'Mara' })
const { id: connectionId } = await clientOf(mara).connect(bank.code, { first: { value: 'Mara' } })
await enroll(world, bank.client, mara)

const phone = await app.device({ authenticator: 'prf', permissions: ['notifications'], keepsApp: true })
const desk = await app.device(viewports.desk)
await openUnlock(phone.page)
await phone.page.getByRole('button', { name: 'Use this' }).click()
await phone.page.getByText('This device', { exact: true }).waitFor()
await openUnlock(desk.page)
await setPasscode(desk.page, PASSCODE)
await desk.page.getByText('This device', { exact: true }).waitFor()

async function openUnlock(page: Page): Promise<void> {
  await signIn(page, mara.email, mara.password)
  await page.getByRole('link', { name: 'Open without your password' }).click()
}

const card = (page: Page) => page.getByRole('dialog', { name: 'Is this you signing in at Harborline Bank?' })

async function raise(key: string): Promise<string> {
  const body = { share_code: mara.shareCode, idempotency_key: key, context: 'Firefox on Windows' }
  const made = await bodyOf(bank.data('POST', '/api/service-2fa/challenges', { body }))
  return String(made['challenge_id'])
}

test('an edit, another answer and the answer to a card on one device are seen on the other', LONG, async () => {
  await go(desk.page, '/data')
  await desk.page.getByText('There is nothing here yet.').waitFor()
  await go(phone.page, `/data/${mara.field('first_name')}`)
  await phone.page.getByLabel('First name').fill('Mara Lind')
  await phone.page.getByRole('button', { name: 'Save' }).click()
  await desk.page.getByRole('link', { name: /Mara Lind/ }).waitFor()

  await go(desk.page, `/connections/${connectionId}`)
  await desk.page.getByText('Online banking sees one thing of yours.').waitFor()
  await go(phone.page, `/connections/${connectionId}`)
  await phone.page.getByRole('button', { name: /A note/ }).click()
  await phone.page.getByRole('radio', { name: /Write it now|Something else/ }).check()
  await phone.page.getByLabel('A note', { exact: true }).fill('after six')
  await phone.page.getByRole('button', { name: 'Give it' }).click()
  await desk.page.getByText('Online banking sees 2 things of yours.').waitFor()

  await raise('both')
  await card(phone.page).waitFor()
  await card(desk.page).waitFor()
  await phone.page.getByRole('button', { name: 'Deny' }).click()
  await phone.page.getByRole('button', { name: 'Close' }).click()
  await expect.poll(() => card(desk.page).count()).toBe(0)
  expect([...phone.complaints, ...desk.complaints]).toEqual([])
})

test(
  'a company asks while the app is closed: the notice has no content, and its click opens the card',
  LONG,
  async () => {
    const sink = await startPushSink(() => world.clock.now())
    const trusted = getCACertificates('default')
    setDefaultCACertificates([...trusted, sink.certificate])
    const { page, context } = phone
    // The push service of the browser's vendor cannot be reached from here: the browser gets an address of ours.
    const subscription = sink.subscribe()
    await page.evaluate(`(() => {
    const made = { endpoint: ${JSON.stringify(subscription.endpoint)}, toJSON: () => (${JSON.stringify(subscription)}) }
    PushManager.prototype.subscribe = async () => made
  })()`)
    await go(page, '/settings/notices')
    await page.getByRole('button', { name: 'Turn on' }).click()
    await page.getByText('Notices are on.').waitFor()
    await go(page, '/settings')

    const session = await context.newCDPSession(page)
    const registrations = new Map<string, string>()
    session.on('ServiceWorker.workerRegistrationUpdated', ({ registrations: known }) => {
      for (const { scopeURL, registrationId } of known) registrations.set(scopeURL, registrationId)
    })
    await session.send('ServiceWorker.enable')
    await expect.poll(() => registrations.size).toBeGreaterThan(0)
    const deliver = async (data: string): Promise<void> => {
      const registrationId = registrations.get(`${app.url}/`) ?? ''
      await session.send('ServiceWorker.deliverPushMessage', { origin: app.url, registrationId, data })
    }
    const inWorker = async <T>(expression: string): Promise<T> => {
      const worker = context.serviceWorkers().at(-1)
      if (worker === undefined) throw new Error('no service worker runs')
      return worker.evaluate<T>(expression)
    }
    const shown = () =>
      inWorker<readonly { title: string; body: string; tag: string }[]>(
        `registration.getNotifications().then((all) => all.map(({ title, body, tag }) => ({ title, body, tag })))`,
      )
    await page.goto('about:blank')
    const id = await raise('pushed')
    await expect.poll(() => sink.taken.length, { timeout: scaled(20_000) }).toBeGreaterThan(0)
    const [push] = sink.taken
    expect(JSON.parse(push?.text ?? '')).toEqual({ kind: 'challenge_raised', id })
    await deliver(push?.text ?? '')
    await expect
      .poll(shown)
      .toEqual([{ title: 'Sealpost', body: 'Is this you signing in? Open Sealpost to answer.', tag: id }])
    await page.goto(`${app.url}/settings`)
    await page.getByRole('heading', { name: 'Welcome back, Mara' }).waitFor()
    await inWorker(`registration.getNotifications().then(([notification]) =>
    void dispatchEvent(new NotificationEvent('notificationclick', { notification })))`)
    await expect.poll(shown).toEqual([])
    await expect.poll(() => new URL(page.url()).pathname).toBe('/')
    await page.getByRole('button', { name: 'Open' }).click()
    await card(page).waitFor()
    await page.getByRole('button', { name: 'Deny' }).click()
    await page.getByRole('button', { name: 'Close' }).click()

    await deliver('not a notice')
    expect(await shown()).toEqual([])
    await go(page, '/settings/notices')
    await page.getByRole('button', { name: 'Turn off' }).click()
    await page.getByText('Notices are off.').waitFor()
    const devices = listOf((await bodyOf(mara.calls('GET', '/api/account/trusted-devices')))['items'])
    for (const { id: deviceId } of devices) {
      const list = await bodyOf(mara.calls('GET', `/api/account/trusted-devices/${String(deviceId)}/push`))
      expect(list['total']).toBe(0)
    }
    setDefaultCACertificates(trusted)
    await sink.close()
  },
)

test(
  'an address is verified in the app, a device gets a name, and the export holds what was typed and written',
  LONG,
  async () => {
    const client = clientOf(mara)
    await client.contactData.put(mara.field('email'), mara.email)
    await client.messages.send(connectionId, 'May I come later?')
    await go(phone.page, `/data/${mara.field('email')}`)
    await phone.page.getByRole('button', { name: 'Mail me a code' }).click()
    const code = phone.page.getByLabel('The six digits of the mail')
    await code.fill('000000')
    await phone.page.getByRole('button', { name: 'Verify', exact: true }).click()
    await phone.page.getByText('That is not the code, or it is too old.').waitFor()
    await code.fill(await world.mail.waitForCode(mara.email, 'verify'))
    await phone.page.getByRole('button', { name: 'Verify', exact: true }).click()
    await phone.page.getByText(/^Verified, /).waitFor()

    await go(desk.page, '/settings/devices')
    const own = desk.page
      .getByRole('list', { name: 'Devices' })
      .getByRole('listitem')
      .filter({ hasText: 'This device' })
    await own.getByRole('button', { name: /^Rename / }).click()
    await own.getByLabel('Name of the device').fill('My desk')
    await own.getByRole('button', { name: 'Save the name' }).click()
    const sessions = desk.page.getByRole('list', { name: 'Signed in' }).getByRole('listitem')
    await sessions.filter({ hasText: 'My desk' }).getByText('Now, here').waitFor()
    expect(await sessions.count()).toBeGreaterThan(1)

    await go(desk.page, '/settings/export')
    const { bytes } = await saveFileOf(desk.page)
    expect(JSON.parse(bytes.toString())).toMatchObject({
      values: expect.arrayContaining([
        expect.objectContaining({ field: 'email', value: mara.email, verified_at: expect.any(String) }),
      ]),
      connections: [
        { services: [{ shared: expect.arrayContaining([expect.objectContaining({ typed: 'after six' })]) }] },
      ],
      messages: [{ company: 'Harborline Bank', text: 'May I come later?' }],
      papers: [],
      forms: [],
    })
    await desk.page.getByText('The file was handed to your browser.').waitFor()
  },
)

/** All rows of the app's database, as a script or a thief can read them: keys by what they are, the rest as text. */
const RESTING = `(async () => {
  const request = (asked) => new Promise((resolve, reject) => {
    asked.onsuccess = () => resolve(asked.result)
    asked.onerror = () => reject(asked.error)
  })
  const keys = []
  const seen = (value) => {
    if (value instanceof CryptoKey) keys.push([value.algorithm.name, value.extractable, value.usages.join()])
    else if (value instanceof Uint8Array) return [...value]
    else if (value !== null && typeof value === 'object') return Object.entries(value).map(([name, own]) => [name, seen(own)])
    return value instanceof CryptoKey ? 'key' : value
  }
  const rows = []
  for (const { name } of await indexedDB.databases()) {
    const database = await request(indexedDB.open(name))
    for (const store of database.objectStoreNames)
      rows.push(...(await request(database.transaction(store).objectStore(store).getAll())).map(seen))
    database.close()
  }
  return { keys, text: JSON.stringify(rows) }
})()`

test('who reads the storage of a device with a passcode finds no key that signs, and no value', LONG, async () => {
  const read = () => desk.page.evaluate<{ keys: readonly unknown[]; text: string }>(RESTING)
  const open = await read()
  await desk.page.goto(`${app.url}/settings`)
  await desk.page.getByRole('heading', { name: 'Welcome back, Mara' }).waitFor()
  for (const { keys, text } of [open, await read()]) {
    // Of the device: it makes a passcode useless elsewhere.
    expect(keys).toEqual([['HMAC', false, 'sign']])
    expect(text).toContain(mara.email)
    expect(text).not.toMatch(/Mara Lind|after six/)
  }
  await desk.page.getByLabel('Your passcode').fill(PASSCODE)
  await desk.page.getByRole('button', { name: 'Open' }).click()
  await desk.page.locator('nav').waitFor()
})

test('a device that was removed is signed out at once and can do nothing more', LONG, async () => {
  await go(phone.page, `/data/${mara.field('first_name')}`)
  await phone.page.getByLabel('First name').waitFor()
  await go(desk.page, '/settings/devices')
  const rows = desk.page.getByRole('list', { name: 'Devices' }).getByRole('listitem')
  const removal = (row: typeof rows) => row.getByRole('button', { name: /^Remove / })
  // The first press says what follows.
  await removal(rows.filter({ hasText: 'Passkey' })).click()
  await desk.page.getByText('It is signed out at once, and can open and confirm nothing more.').waitFor()
  expect(await rows.count()).toBe(2)
  await removal(rows.filter({ hasText: 'Passkey' })).click()
  await expect.poll(() => rows.count()).toBe(1)
  // Without a touch: what was open there is locked.
  await phone.page.getByRole('heading', { name: 'Welcome back, Mara' }).waitFor({ timeout: scaled(30_000) })
  expect(await phone.page.getByText('Mara Lind').count()).toBe(0)
  await phone.page.getByRole('button', { name: 'Open' }).click()
  await phone.page.getByText('This device was signed out.').waitFor()
  const door = world.frontDoor.url.replace('127.0.0.1', 'localhost')
  const refreshed = await phone.context.request.post(`${door}/api/session/refresh`, {
    data: { user_type: 'person' },
    headers: { origin: app.url },
  })
  expect(refreshed.status()).toBe(401)

  // Its own removal needs no network: the account goes from the device first, and the platform hears of it later.
  await desk.context.setOffline(true)
  for (const _press of ['asks', 'does']) await removal(rows.first()).click()
  await desk.page.getByRole('link', { name: 'Begin' }).waitFor()
  const kept = () => bodyOf(mara.calls('GET', '/api/account/trusted-devices')).then((list) => list['total'])
  expect(await kept()).toBe(1)
  await desk.context.setOffline(false)
  await expect.poll(kept, { timeout: scaled(30_000) }).toBe(0)
})
