import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type AskContract, type Bus, busMigrations, busSettings, openBus, parseParty, partiesOf } from '@sealpost/bus'
import { createKey } from '@sealpost/bus/credentials'
import { readSettings } from '@sealpost/kernel'
import { parseRegions } from '@sealpost/protocol'
import { openTables, type PrivateEngine, startPrivateNats, waitUntil } from '@sealpost/testkit'
import { afterAll, expect, test } from 'vitest'
import { runCommand } from '../testing/run-command.ts'
import { runBusCredentials } from './index.ts'

const EU = parseParty('eu')
const WAIT_MS = 20_000
const folder = mkdtempSync(join(tmpdir(), 'sealpost-credentials-'))
const tables = await openTables('bus', busMigrations)
/** The files of a server are used where they are written. */
const OPTIONS = ['--out', folder, '--install-at', join(folder, 'servers', 'eu')]
const REGIONS = 'eu|Europe|https://eu.example|tls://127.0.0.1:4222'
const opened: Bus[] = []
const account = { config: '', observer: createKey() }
let nats: PrivateEngine | null = null

afterAll(async () => {
  await Promise.all(opened.map((bus) => bus.close()))
  await nats?.remove()
  rmSync(folder, { recursive: true })
})

function write(...args: readonly string[]): Promise<string> {
  return runBusCredentials(parseRegions(REGIONS), [...OPTIONS, ...args], Date.now())
}

function read(...path: readonly string[]): string {
  return readFileSync(join(folder, ...path), 'utf8')
}

const allFiles = (): readonly string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))

test('writes keys, permissions and certificates that this user alone can read, and prints no secret', async () => {
  const printed = await runCommand('operate', { REGIONS }, 'bus:credentials', ...OPTIONS)
  const files = allFiles()
  expect(files.map((file) => file.slice(folder.length + 1)).toSorted()).toEqual([
    'ca.crt',
    'ca.key',
    'parties/directory/ca.crt',
    'parties/directory/settings.env',
    'parties/eu/ca.crt',
    'parties/eu/settings.env',
    'parties/forwarder/ca.crt',
    'parties/forwarder/settings.env',
    'retiring.json',
    'servers/eu/bus.conf',
    'servers/eu/server.crt',
    'servers/eu/server.key',
    'servers/eu/tls.conf',
  ])
  expect(new Set(files.map((file) => statSync(file).mode & 0o777))).toEqual(new Set([0o600]))
  expect(printed).toContain('parties/eu: settings.env and ca.crt for the processes of region eu')
  const seeds = ['directory', 'eu'].map((party) => /eu:(SU\w+)/.exec(read('parties', party, 'settings.env'))?.[1] ?? '')
  expect(new Set(seeds.map((seed) => seed.length))).toEqual(new Set([58]))
  for (const secret of [...seeds, 'PRIVATE KEY']) {
    expect(printed).not.toContain(secret)
    expect(read('servers', 'eu', 'bus.conf')).not.toContain(secret)
  }
})

test('run again, it keeps keys and certificates; a new region is added to all of them', async () => {
  const kept = ['ca.key', 'servers/eu/server.key', 'servers/eu/bus.conf', 'parties/eu/settings.env'] as const
  const before = kept.map((file) => read(file))
  await write()
  expect(kept.map((file) => read(file))).toEqual(before)
  const wider = mkdtempSync(join(tmpdir(), 'sealpost-credentials-'))
  const both = `${REGIONS},us|US|https://us.example|tls://us.example:4222`
  const one = await runBusCredentials(parseRegions(REGIONS), ['--out', wider], Date.now())
  const first = readFileSync(join(wider, 'parties/eu/settings.env'), 'utf8')
  const two = await runBusCredentials(parseRegions(both), ['--out', wider], Date.now())
  const second = readFileSync(join(wider, 'parties/eu/settings.env'), 'utf8')
  expect([one.includes('servers/us'), two.includes('servers/us')]).toEqual([false, true])
  expect(second).toMatch(/^NATS_KEYS=eu:SU\w+,us:SU\w+$/m)
  expect(second).toContain(/eu:SU\w+/.exec(first)?.[0] ?? 'missing')
  expect(readFileSync(join(wider, 'servers/eu/bus.conf'), 'utf8')).toContain('sealpost.ask.eu.us')
  rmSync(wider, { recursive: true })
})

test('a NATS server starts with the files, and keys are rotated in three steps without a gap', async () => {
  account.config = serverConfig()
  const server = (nats = await startPrivateNats({ account, hasTls: true }))
  const earlier = openAs('eu', server.url)
  await earlier.start()
  await expectEcho(earlier)

  expect(await write('--rotate', 'eu')).toContain('accept the earlier keys of eu until')
  await reload(server)
  const later = openAs('eu', server.url)
  await later.start()
  for (const bus of [earlier, later]) await expectEcho(bus)

  await write('--retire')
  await reload(server)
  await expectEcho(later)
  await waitUntil(
    'the earlier keys are refused',
    WAIT_MS,
    async () => (await isAway(earlier)) && !(await isAway(later)),
  )
  expect(await isAway(earlier)).toBe(true)
})

test('a new authority signs new certificates; parties trust both until the earlier one is retired', async () => {
  const count = (text: string): number => text.split('BEGIN CERTIFICATE').length - 1
  const before = { ca: read('ca.crt'), server: read('servers/eu/server.crt'), keys: read('parties/eu/settings.env') }
  await write('--new-authority')
  expect(count(read('parties/eu/ca.crt'))).toBe(2)
  expect(read('parties/eu/ca.crt')).toContain(before.ca)
  expect(read('servers/eu/server.crt')).not.toBe(before.server)
  expect(read('parties/eu/settings.env')).toBe(before.keys)
  const server = read('servers/eu/server.crt')
  if (nats === null) throw new Error('the server of the test before is missing')
  // The server still has its earlier certificate, then the new one: parties with both authorities connect to each.
  for (const change of [() => Promise.resolve(), reload]) {
    await change(nats)
    const bus = openAs('eu', nats.url)
    await bus.start()
    await expectEcho(bus)
  }
  await write('--retire')
  expect(count(read('parties/eu/ca.crt'))).toBe(1)
  expect(read('parties/eu/ca.crt')).not.toContain(before.ca)
  expect(read('servers/eu/server.crt')).toBe(server)
})

test('a certificate is renewed a month before its end, and when the address changes', async () => {
  const before = read('servers/eu/server.crt')
  const year = 370 * 86_400_000
  await runBusCredentials(parseRegions(REGIONS), OPTIONS, Date.now() + year)
  const renewed = read('servers/eu/server.crt')
  expect(renewed).not.toBe(before)
  await runBusCredentials(parseRegions(REGIONS.replace('127.0.0.1', 'nats.example')), OPTIONS, Date.now() + year)
  expect(read('servers/eu/server.crt')).not.toBe(renewed)
})

test.each([
  [[], 'say where to write with --out'],
  [['--out', folder, '--rotate', 'mars'], 'mars is neither a region of REGIONS nor directory nor forwarder'],
  [['--everything'], '--everything'],
])('%j is refused with the usage', async (args, problem) => {
  const running = runBusCredentials(parseRegions(REGIONS), args, Date.now())
  await expect(running).rejects.toThrow(problem)
  await expect(running).rejects.toThrow('bus:credentials --out FOLDER')
})

async function reload(server: PrivateEngine): Promise<void> {
  await server.kill()
  account.config = serverConfig()
  await server.start()
}

function serverConfig(): string {
  return `${read('servers/eu/bus.conf')}${read('servers/eu/tls.conf')}`
}

/** With the settings that the command has written now. */
function openAs(party: string, url: string): Bus {
  const lines = read('parties', party, 'settings.env').trim().split('\n')
  const environment = Object.fromEntries(lines.map((line) => line.split(/=(.*)/s).slice(0, 2)))
  const regions = parseRegions(REGIONS.replace('tls://127.0.0.1:4222', url.replace('nats://', 'tls://')))
  const settings = readSettings(busSettings, { ...environment, NATS_CA_FILE: join(folder, 'ca.crt') })
  const bus = openBus({
    self: parseParty(party),
    parties: partiesOf(regions, settings),
    ...tables,
    roles: { relay: false, inbox: false, responder: true },
    askTimeoutMs: WAIT_MS,
  })
  bus.onRead(echo, ({ body }) => Promise.resolve(body))
  opened.push(bus)
  return bus
}

const echo: AskContract<{ readonly text: string }, { readonly text: string }> = {
  command: 'test.echo',
  idempotency: 'none',
  parse: (value) => value as { text: string },
  parseReply: (value) => value as { text: string },
}

async function expectEcho(bus: Bus): Promise<void> {
  expect(await bus.ask(echo, { to: EU, body: { text: 'heard' }, timeoutMs: WAIT_MS })).toEqual({ text: 'heard' })
}

async function isAway(bus: Bus): Promise<boolean> {
  return (await bus.health()).awayCarriers.length > 0
}
