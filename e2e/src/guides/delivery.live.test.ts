import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { AccountClient } from '@sealpost/sdk'
import {
  bodyOf,
  call,
  type Installation,
  logIn,
  northwind,
  type Owner,
  reservePort,
  signUp,
  startInstallation,
  waitUntil,
} from '@sealpost/testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Guide, openGuide, type RunningProgram } from './snippets.ts'

const IN_TIME_MS = 30_000
const choosing = await openGuide('docs/guides/feed-or-webhooks.md')
const receiving = await openGuide('docs/guides/receiving-safely.md')
const ran = new Map<Guide, Set<string>>([choosing, receiving].map((guide) => [guide, new Set()]))
const CODE = `${northwind.shareCode}/${northwind.service.shareCode}`

/** Real processes with the real clock, because receivers check the time of a signature. */
let sites: Installation
let person: Owner
let account: AccountClient
let variables: Record<string, string>
let running: RunningProgram | null = null

beforeAll(async () => {
  sites = await startInstallation({
    settings: {
      RATE_LOGIN_ACCOUNT: '600',
      RATE_CHANGES: '6000',
      ALLOW_PRIVATE_TARGETS: '1',
      DATABASE_POOL: '4',
      WEBHOOK_PROBE_DELAY_SECONDS: '1',
    },
  })
  const user = await signUp(sites, { userType: 'person', region: 'us' })
  const session = await logIn(sites, user)
  person = { ...session, user, call: (method, path, body) => call(session, method, path, { body }) }
  const { token, apiUrl } = await logIn(sites, { email: northwind.email, authVerifier: northwind.login.authVerifier })
  account = new AccountClient({ accessToken: () => Promise.resolve({ token, apiUrl }) })
  const machine = await account.clients.create({ name: 'Guide', capabilities: ['service_management'] })
  variables = {
    FRONT_DOOR: sites.frontDoor.url,
    CLIENT_ID: northwind.clientId,
    CLIENT_SECRET: northwind.clientSecret,
    ACCOUNT_CLIENT_ID: machine.client_id,
    ACCOUNT_CLIENT_SECRET: machine.client_secret ?? '',
    SERVICE_ID: northwind.serviceId,
    EMAIL: northwind.email,
    PASSWORD: northwind.login.password,
    TOKEN: token,
    API_URL: apiUrl,
  }
})
afterAll(async () => {
  await running?.stop()
  for (const guide of ran.keys()) guide.close()
  await sites.stop()
})

function run(guide: Guide, name: string, more: Readonly<Record<string, string>> = {}): Promise<string> {
  ran.get(guide)?.add(name)
  return guide.run(name, { ...variables, ...more })
}

/** Waits until the program has printed that it listens. */
async function start(guide: Guide, name: string, says: string, more: Readonly<Record<string, string>> = {}) {
  ran.get(guide)?.add(name)
  await running?.stop()
  const program = guide.start(name, { ...variables, ...more })
  running = program
  await waitForText(() => program.printed(), says)
  return program
}

async function waitForText(read: () => string, text: string): Promise<void> {
  await waitUntil(`${text} is read`, IN_TIME_MS, () => read().includes(text)).catch((error: unknown) => {
    throw new Error(`expected ${text}, printed: ${read()} ${running?.printed() ?? ''}`, { cause: error })
  })
}

const textOf = (file: string): string => (existsSync(file) ? readFileSync(file, 'utf8') : '')

async function connect(): Promise<string> {
  const made = await bodyOf(person.call('POST', '/api/company-connections', { code: CODE, decisions: [] }), 201)
  return String(made['id'])
}

async function disconnect(id: string): Promise<void> {
  await bodyOf(person.call('DELETE', `/api/company-connections/${id}`), 204)
}

describe('feed or webhooks', () => {
  test('a change that cannot be handled becomes a dead letter, and is handled after it is requeued', async () => {
    await run(choosing, 'pump')
    await disconnect(await connect())
    const failing = await start(choosing, 'follow', 'following')
    await waitForText(() => failing.printed(), 'gave up connection_deleted after 3 failures')
    expect(await failing.stop()).toMatch(/0 handled, 2 given up, 0 came twice$/)

    expect(await run(choosing, 'letters')).toMatch(
      /^connection_created: ENOENT.+\nconnection_deleted: ENOENT.+\n2 put back$/,
    )
    mkdirSync(join(choosing.folder, 'records'))
    const mended = await start(choosing, 'follow', 'following')
    const records = join(choosing.folder, 'records/changes.txt')
    await waitForText(() => textOf(records), 'connection_deleted')
    expect(await mended.stop()).toMatch(/2 handled, 0 given up, 0 came twice$/)
    expect(textOf(records)).toMatch(/^connection_created \w+\nconnection_deleted \w+\n$/)
  })
})

describe('receiving safely', () => {
  const events = join(receiving.folder, 'events.txt')
  let port: string
  let url: string
  let webhookId: string
  let secret: string

  beforeAll(async () => {
    port = String((await reservePort()).port)
    url = `http://127.0.0.1:${port}/`
  })

  test('a webhook is created, and its events reach the receiver', async () => {
    const made = JSON.parse(await run(receiving, 'webhook', { WEBHOOK_URL: url }))
    webhookId = made.id
    secret = made.secret
    await start(receiving, 'receiver', 'listening', { PORT: port, WEBHOOK_SECRETS: secret })
    expect(await account.webhooks.test(northwind.serviceId, webhookId)).toMatchObject({ http_status: 200 })
    await waitForText(() => textOf(events), 'test')
    await disconnect(await connect())
    await waitForText(() => textOf(events), 'connection_deleted')
    expect(textOf(events)).toBe('test\nconnection_created\nconnection_deleted\n')
  })

  const send = (signedBy: string, shareCode: string, to = url): Promise<string> =>
    run(receiving, 'send', { SECRET: signedBy, SHARE_CODE: shareCode, WEBHOOK_URL: to })

  test('a delivery with a computed signature is accepted once, and refused with another secret', async () => {
    expect(await send(secret, 'ONE')).toBe('200 ok')
    expect(await send(secret, 'ONE')).toBe('200 duplicate')
    expect(await send('whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=', 'TWO')).toBe('401 signature_mismatch')
  })

  test('while the secret is replaced all events arrive, before and after the receiver has the new one', async () => {
    const replaced = await run(receiving, 'rotate', { WEBHOOK_ID: webhookId })
    const before = textOf(events).length
    const id = await connect()
    await waitForText(() => textOf(events).slice(before), 'connection_created')
    await start(receiving, 'receiver', 'listening', { PORT: port, WEBHOOK_SECRETS: `${replaced} ${secret}` })
    await disconnect(id)
    await waitForText(() => textOf(events).slice(before), 'connection_deleted')
    expect(await send(replaced, 'ONE')).toBe('200 duplicate')
    secret = replaced
  })

  test('Express and Fastify do the same', async () => {
    const express = String((await reservePort()).port)
    const fastify = String((await reservePort()).port)
    const more = { PORT: '0', WEBHOOK_SECRETS: secret, EXPRESS_PORT: express, FASTIFY_PORT: fastify }
    await start(receiving, 'with-express', 'Express listens', more)
    expect(await send(secret, 'THREE', `http://127.0.0.1:${express}/hooks`)).toBe('200 ok')
    await start(receiving, 'with-fastify', 'Fastify listens', more)
    expect(await send(secret, 'THREE', `http://127.0.0.1:${fastify}/hooks`)).toBe('200 duplicate')
    expect(await send(secret, 'FOUR', `http://127.0.0.1:${fastify}/hooks`)).toBe('200 ok')
  })

  test('an encrypted delivery is opened with the key of the account', async () => {
    await run(receiving, 'account-key')
    const { port: freePort } = await reservePort()
    const made = await account.webhooks.create(northwind.serviceId, {
      url: `http://127.0.0.1:${freePort}/`,
      encrypt_payload: true,
    })
    const WEBHOOK_SECRETS = made.hmac_secret_once ?? ''
    await start(receiving, 'encrypted', 'listening', { PORT: String(freePort), WEBHOOK_SECRETS })
    await disconnect(await connect())
    const opened = join(receiving.folder, 'opened.txt')
    await waitForText(() => textOf(opened), 'connection_deleted')
    expect(textOf(opened)).toBe('connection_created\nconnection_deleted\n')
  })
})

test.each([
  ['feed or webhooks', choosing],
  ['receiving safely', receiving],
])('every program of %s has run', (_, guide) => {
  expect([...(ran.get(guide) ?? [])].toSorted()).toEqual([...guide.names].toSorted())
})
