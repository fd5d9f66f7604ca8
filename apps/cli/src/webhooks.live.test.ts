import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { AccountClient } from '@sealpost/sdk'
import {
  type HookDesk,
  logIn,
  northwind,
  openHooks,
  startHookReceiver,
  startTwoRegions,
  type TwoRegions,
  waitUntil,
} from '@sealpost/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTerminal, type TestTerminal } from './testing.ts'

const limits = { timeout: 60_000 }

let sites: TwoRegions
let terminal: TestTerminal
let hooks: HookDesk
let receiver: Awaited<ReturnType<typeof startHookReceiver>>
let ids: readonly [string, string] = ['', '']

beforeAll(async () => {
  sites = await startTwoRegions({ ALLOW_PRIVATE_TARGETS: '1', RATE_TOKEN: '60000', RATE_DATA: '60000' })
  hooks = await openHooks(sites)
  receiver = await startHookReceiver()
  const { email, login } = northwind
  const session = await logIn(sites, { email, authVerifier: login.authVerifier })
  const portal = new AccountClient({ accessToken: () => Promise.resolve(session) })
  const made = await portal.clients.create({ name: 'Terminal', capabilities: ['service_management'] })
  terminal = openTerminal({
    SEALPOST_FRONT_DOOR: sites.frontDoor.url,
    SEALPOST_ACCOUNT_CLIENT_ID: made.client_id,
    SEALPOST_ACCOUNT_CLIENT_SECRET: made.client_secret ?? '',
  })
}, 120_000)
afterAll(async () => {
  terminal?.[Symbol.dispose]()
  await receiver?.close()
  await hooks?.close()
  await sites?.close()
})

test('a created webhook has its secret in a file for its owner, and can be tested', limits, async () => {
  const { serviceId } = hooks.desk
  const create = ['webhooks', 'create', serviceId, '--url', receiver.url, '--events', 'connection_deleted']
  expect(await terminal.run(...create)).toMatchObject({
    code: 2,
    logged: expect.stringContaining('--secret-file FILE'),
  })
  expect(await terminal.run('webhooks', 'create', serviceId)).toMatchObject({ code: 2 })
  expect(await terminal.run(...create, '--format', 'yaml')).toMatchObject({ code: 2 })
  const made = await terminal.run(...create, '--secret-file', 'hook')
  expect(made).toMatchObject({ code: 0, logged: '', out: expect.stringMatching(/^[0-9a-f-]{36}$/) })
  ids = [serviceId, made.out]
  const file = join(terminal.folder, 'hook')
  expect(readFileSync(file, 'utf8')).toMatch(/^whsec_\S{44}\n$/)
  expect(statSync(file).mode & 0o777).toBe(0o600)
  const tested = await terminal.run('webhooks', 'test', ...ids)
  expect(tested).toMatchObject({ code: 0, out: expect.stringMatching(/^200 {2}\d+ ms$/) })
  receiver.behave(() => 204)
  expect(await terminal.run('webhooks', 'test', ...ids)).toMatchObject({ code: 1, out: expect.stringContaining('204') })
  receiver.behave(() => 200)
})

test('a failing webhook is listed with its error, probed, and its deliveries are listed', limits, async () => {
  receiver.behave(() => 503)
  await hooks.append()
  const listed = async (): Promise<string> => (await terminal.run('webhooks', 'list', ids[0])).out
  await waitUntil('it is bad', 20_000, async () => (await listed()).includes('last error: answered 503'))
  expect(await listed()).toContain(`${ids[1]}  bad       ${receiver.url}\n  1 waiting, the oldest since 2026-05-01`)
  receiver.behave(() => 200)
  expect(await terminal.run('webhooks', 'probe', ...ids)).toMatchObject({ code: 0 })
  await waitUntil('it runs', 20_000, async () => (await listed()).includes('running'))
  const deliveries = await terminal.run('webhooks', 'deliveries', ...ids)
  expect(deliveries.out.split('\n')[0]).toMatch(/probe {3}connection_deleted {2}200 {2}\d+ ms$/)
  expect(deliveries.out).toMatch(/live {4}connection_deleted {2}503/)
  const one = await terminal.run('webhooks', 'deliveries', ...ids, '--limit', '1', '--json')
  expect(JSON.parse(one.out)).toMatchObject({ kind: 'probe', http_status: 200 })
})

test('the reason of a missing answer is printed', limits, async () => {
  const closed = await startHookReceiver()
  await closed.close()
  const create = ['webhooks', 'create', ids[0], '--url', closed.url, '--secret-file', 'closed-hook', '--disabled']
  const { out: closedId } = await terminal.run(...create)
  expect(await terminal.run('webhooks', 'test', ids[0], closedId)).toMatchObject({
    code: 1,
    out: expect.stringMatching(/^no answer: connection refused or unreachable {2}\d+ ms$/),
  })
  const deliveries = await terminal.run('webhooks', 'deliveries', ids[0], closedId)
  expect(deliveries.out).toMatch(/test {4}test {2}no answer: connection refused or unreachable {2}\d+ ms$/)
})

test('a webhook is paused, resumed and replayed', limits, async () => {
  expect((await terminal.run('webhooks', 'pause', ...ids)).out).toContain('paused')
  const before = receiver.all.length
  await hooks.append()
  expect((await terminal.run('webhooks', 'resume', ...ids)).code).toBe(0)
  await receiver.take(before + 1)
  expect(await terminal.run('webhooks', 'replay', ...ids, '--since', 'yesterday')).toMatchObject({ code: 2 })
  const replayed = await terminal.run('webhooks', 'replay', ...ids, '--since', '2026-05-01T00:00:00Z')
  expect(replayed).toMatchObject({ code: 0, out: '2 queued' })
  await receiver.take(before + 3)
})

test(
  'another authentication comes from a file; another company’s service answers the same 404 as a missing one',
  limits,
  async () => {
    writeFileSync(join(terminal.folder, 'auth.json'), '{"auth_type":"bearer","auth_token":"let-me-in"}')
    const create = ['webhooks', 'create', ids[0], '--url', receiver.url, '--auth-file', 'auth.json']
    const made = await terminal.run(...create, '--disabled', '--json')
    expect(made.code).toBe(0)
    expect(JSON.parse(made.out)).toMatchObject({ auth_type: 'bearer', enabled: false })
    expect(made.out).not.toContain('let-me-in')
    expect((await terminal.run('webhooks', 'list', ids[0])).out).toContain('disabled')
    writeFileSync(join(terminal.folder, 'auth.json'), '{"auth_type":"magic"}')
    expect(await terminal.run(...create)).toMatchObject({ code: 1, logged: expect.stringContaining('must be one of') })
    const unknown = await terminal.run('webhooks', 'list', '0196a8c4-5e6f-7a10-8b2c-3d4e5f607182')
    expect(unknown).toMatchObject({ code: 1, logged: expect.stringContaining('services.not_found') })
  },
)
