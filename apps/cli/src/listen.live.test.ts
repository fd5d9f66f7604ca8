import { createHmac } from 'node:crypto'
import { type AddressInfo, createConnection, createServer, type Server, type Socket } from 'node:net'
import { AccountClient, AccountKey, CustomerClient, memoryPins, ServiceClient } from '@sealpost/sdk'
import { type Installation, logIn, northwind, signUp, startInstallation, waitUntil } from '@sealpost/testkit'
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { openReceiver, openTerminal, type RunningCommand, type TestReceiver, type TestTerminal } from './testing.ts'

const IN_TIME_MS = 30_000
const SECRET = 'whsec_AQIDBAUGBwgJCgsMDQ4PEBESExQVFhcYGRobHB0eHyA='

let line: BreakableLine
let site: Installation
let terminal: TestTerminal
let receiver: TestReceiver
let customer: CustomerClient
let feed: ServiceClient
let code = ''

beforeAll(async () => {
  line = await openLine()
  site = await startInstallation({
    settings: { RATE_TOKEN: '60000', RATE_CHANGES: '60000' },
    adjust: (environment) => {
      const own = `http://127.0.0.1:${environment.eu['LISTEN_PORT'] ?? ''}`
      line.leadTo(Number(environment.eu['LISTEN_PORT']))
      const through = (variables: Readonly<Record<string, string>>) => ({
        ...variables,
        REGIONS: (variables['REGIONS'] ?? '').replace(own, line.url),
      })
      return Promise.resolve({
        frontDoor: through(environment.frontDoor),
        eu: through(environment.eu),
        us: through(environment.us),
      })
    },
  })
  terminal = openTerminal({ SEALPOST_FRONT_DOOR: site.frontDoor.url })
  await makeService()
  const user = await signUp(site, { userType: 'person', region: 'us', displayName: 'Ana Gil' })
  const session = await logIn(site, user)
  const key = await AccountKey.fromPkcs8(user.keys.privateKey.reveal())
  customer = new CustomerClient({ accessToken: () => Promise.resolve(session), key, pins: memoryPins() })
})
afterAll(async () => {
  terminal?.[Symbol.dispose]()
  await site?.stop()
  await line?.close()
})
beforeEach(async () => {
  receiver = await openReceiver()
  return () => receiver.close()
})

async function makeService(): Promise<void> {
  const session = await logIn(site, { email: northwind.email, authVerifier: northwind.login.authVerifier })
  const portal = new AccountClient({ accessToken: () => Promise.resolve(session) })
  const wish = { name: 'Rentals', admin_email: 'desk@northwind.example', share_code: 'RENT' }
  const { service } = await portal.services.create(wish, { recoveryCopy: false })
  const made = await portal.dataClients.create(service.id)
  terminal.environment['SEALPOST_CLIENT_ID'] = made.client_id
  terminal.environment['SEALPOST_CLIENT_SECRET'] = made.client_secret ?? ''
  code = `${northwind.shareCode}/RENT`
  feed = new ServiceClient({
    frontDoorUrl: site.frontDoor.url,
    clientId: made.client_id,
    clientSecret: made.client_secret ?? '',
  })
}

/** Two events, in this order. */
async function comeAndGo(): Promise<void> {
  const { id } = await customer.connect(code, {})
  await customer.connections.disconnect(id)
}

async function listen(...options: readonly string[]): Promise<RunningCommand> {
  const running = terminal.start('listen', '--to', receiver.url, '--secret', SECRET, ...options)
  await until('it listens', () => running.logged.some((note) => note.includes('ready')))
  return running
}

const until = (what: string, holds: () => boolean): Promise<void> => waitUntil(what, IN_TIME_MS, holds)
const came = (count: number): Promise<void> => until(`${count} events came`, () => receiver.taken.length >= count)
const kinds = (): readonly string[] => receiver.taken.map(({ body }) => String(JSON.parse(body).event))
const CAME_AND_WENT = ['connection_created', 'connection_deleted']

test('events are posted in order, signed, one line each; the feed keeps them', async () => {
  for await (const _change of feed.changes.drain()) continue
  const running = await listen()
  await comeAndGo()
  await came(2)
  expect(kinds()).toEqual(CAME_AND_WENT)
  const [{ headers, body } = { headers: {}, body: '' }] = receiver.taken
  expect(headers['x-platform-signature']).toBe(createHmac('sha256', SECRET).update(body).digest('hex'))
  expect(headers['webhook-id']).toBe(JSON.parse(body).id)
  await until('both are logged', () => running.out.length === 2)
  expect(running.out[0]).toMatch(/^\S+ {2}connection_created {2}\S+ {2}200 {2}\d+ ms$/)
  expect(await running.interrupt()).toBe(0)
  const kept: string[] = []
  for await (const change of feed.changes.drain()) kept.push(change.id)
  expect(kept).toEqual(receiver.taken.map((one) => String(JSON.parse(one.body).id)))
})

test('only the requested events are posted, and a wrong service ends the command', async () => {
  const running = await listen('--events', 'connection_deleted, field_updated', '--json', '--name', 'desk-1')
  await comeAndGo()
  await came(1)
  await until('it is logged', () => running.out.length === 1)
  await running.interrupt()
  expect(kinds()).toEqual(['connection_deleted'])
  expect(JSON.parse(running.out[0] ?? '')).toMatchObject({ event: 'connection_deleted', http_status: 200 })
  const to = ['--to', receiver.url, '--secret', SECRET]
  const other = await terminal.run('listen', ...to, '--service', '0196a8c4-5e6f-7a10-8b2c-3d4e5f607182')
  expect(other).toMatchObject({ code: 1, logged: expect.stringContaining('belongs to service') })
  expect(await terminal.run('listen', ...to, '--events', 'nonsense')).toMatchObject({ code: 2 })
  expect(await terminal.run('listen', ...to, '--name', 'no spaces')).toMatchObject({ code: 2 })
  const secret = terminal.environment['SEALPOST_CLIENT_SECRET'] ?? ''
  terminal.environment['SEALPOST_CLIENT_SECRET'] = 'wrong'
  expect(await terminal.run('listen', ...to)).toMatchObject({ code: 1, out: '' })
  terminal.environment['SEALPOST_CLIENT_SECRET'] = secret
})

test('a server that is killed and restarted is reconnected, and no event is missing', async () => {
  const running = await listen()
  await comeAndGo()
  await came(2)
  await site.eu.kill()
  await until('the loss is logged', () => running.logged.some((text) => text.includes('trying again')))
  await site.eu.start()
  await until('it is back', () => running.logged.includes('connected again'))
  await comeAndGo()
  await came(4)
  expect(kinds()).toEqual([...CAME_AND_WENT, ...CAME_AND_WENT])
  expect(await running.interrupt()).toBe(0)
})

test('a page whose answer was cut off is read again: each event once, in order', async () => {
  const running = await listen()
  line.cut(true)
  await until('the cut is logged', () => running.logged.some((text) => text.includes('trying again')))
  const before = line.cuts()
  await comeAndGo()
  await until('answers are cut off', () => line.cuts() >= before + 3)
  line.cut(false)
  await came(2)
  await until('both are logged', () => running.out.length === 2)
  expect(kinds()).toEqual(CAME_AND_WENT)
  expect(new Set(receiver.taken.map(({ headers }) => headers['webhook-id'])).size).toBe(2)
  await running.interrupt()
})

test('a target that is down is retried, then given up; later events are posted', async () => {
  const running = await listen()
  const { port } = receiver
  await receiver.close()
  await comeAndGo()
  await until('it is logged', () => running.logged.some((text) => text.includes('ECONNREFUSED')))
  await until('both are given up', () => running.out.length === 2)
  expect(running.out[0]).toContain('given up: cannot be reached (ECONNREFUSED)')
  const made = await customer.connect(code, {})
  await until('the next one waits', () => running.logged.length >= 5)
  receiver = await openReceiver(port)
  await came(1)
  expect(kinds()).toEqual(['connection_created'])
  receiver.answer(500)
  await customer.connections.disconnect(made.id)
  await until('it is logged', () => running.out.length === 4)
  expect(running.out[3]).toContain('500 (a webhook is parked by anything but 200)')
  expect(receiver.taken).toHaveLength(2)
  await running.interrupt()
})

test('Ctrl-C ends the command at once, also while a target does not answer', async () => {
  // Requests have no time limit here: only Ctrl-C can end one.
  const limits = vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => new AbortController().signal)
  onTestFinished(() => limits.mockRestore())
  const running = await listen()
  const { promise, resolve } = Promise.withResolvers<number>()
  receiver.answer(promise)
  await comeAndGo()
  await came(1)
  const other = await openReceiver()
  onTestFinished(() => other.close())
  // The same machine takes longer for them, however busy it is.
  const hundredRequests = async (): Promise<string> => {
    for (let count = 0; count < 100; count += 1) await fetch(other.url, { method: 'POST', body: '{}' })
    return 'late'
  }
  expect(await Promise.race([running.interrupt(), hundredRequests()])).toBe(0)
  expect(running.out).toEqual([])
  resolve(200)
})

test('with a store, events that were fetched and not posted when it ended are posted by the next one', async () => {
  const kept = ['--name', 'kept', '--store', 'kept-events']
  const first = await listen(...kept)
  const { promise, resolve } = Promise.withResolvers<number>()
  receiver.answer(promise)
  await comeAndGo()
  await came(1)
  expect(await first.interrupt()).toBe(0)
  resolve(200)
  const ids = () => receiver.taken.map(({ headers }) => headers['webhook-id'])
  const [unanswered] = ids()
  await comeAndGo()
  receiver.answer(200)
  const second = await listen(...kept)
  await came(5)
  // The one that was interrupted comes again, with the same id.
  expect(kinds()).toEqual(['connection_created', ...CAME_AND_WENT, ...CAME_AND_WENT])
  expect(ids()[1]).toBe(unanswered)
  expect(new Set(ids()).size).toBe(4)
  await second.interrupt()
  const to = ['--to', receiver.url, '--secret', SECRET]
  expect(await terminal.run('listen', ...to, '--store', 'kept-events')).toMatchObject({
    code: 2,
    logged: expect.stringContaining('--store needs --name'),
  })
  const other = await terminal.run('listen', ...to, '--store', 'kept-events', '--name', 'other')
  expect(other).toMatchObject({ code: 1, logged: expect.stringContaining('listener kept') })
})

/** A proxy to the region that can cut off an answer after the request went through. */
interface BreakableLine {
  readonly url: string
  leadTo(port: number): void
  cut(isCut: boolean): void
  cuts(): number
  close(): Promise<void>
}

async function openLine(): Promise<BreakableLine> {
  const open = new Set<Socket>()
  let [target, isCut, cuts] = [0, false, 0]
  const server: Server = createServer((caller) => {
    const callee = createConnection({ host: '127.0.0.1', port: target })
    for (const [one, other] of [
      [caller, callee],
      [callee, caller],
    ] as const) {
      open.add(one)
      one.on('error', () => {})
      one.once('close', () => {
        open.delete(one)
        other.destroy()
      })
    }
    caller.pipe(callee)
    callee.on('data', (chunk) => {
      if (!isCut) return void caller.write(chunk)
      cuts += 1
      caller.destroy()
    })
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const address: AddressInfo | string | null = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return {
    url: `http://127.0.0.1:${port}`,
    leadTo(wanted) {
      target = wanted
    },
    cut(wanted) {
      isCut = wanted
    },
    cuts: () => cuts,
    async close() {
      for (const socket of open) socket.destroy()
      await new Promise((resolve) => void server.close(resolve))
    },
  }
}
