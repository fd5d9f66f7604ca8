import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  type AppProcess,
  appProcess,
  askRedis,
  processMegabytes,
  reservePort,
  ROOT,
  waitUntil,
} from '@sealpost/testkit'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { sendJson, startHonestPlugin } from '../../testing/plugin-server.ts'
import { ask, openSite, post } from '../../testing/site.ts'

/** Limits of a plugin that three processes share. Their clock is the real one: Redis has no other. */
const WAIT_MS = 30_000
const PLACES = 8
const RATE = 60
const site = await openSite()
const { keys, honest, server } = await startHonestPlugin()
const folder = mkdtempSync(join(tmpdir(), 'sealpost-forwarder-'))
writeFileSync(join(folder, 'ca.crt'), server.authority)
/** By address: a process has no other way to find the server. */
const baseUrl = `https://127.0.0.1:${server.port}`
const processes = await Promise.all([1, 2, 3].map(startProcess))
const [first, second, third] = processes

afterAll(async () => {
  await Promise.all(processes.map((each) => each.stop()))
  await server.close()
  rmSync(folder, { recursive: true })
})

async function startProcess(number: number): Promise<AppProcess> {
  const [listening, internal] = await Promise.all([reservePort(), reservePort()])
  const forwarder = appProcess({
    name: `forwarder ${number}`,
    app: 'forwarder',
    root: ROOT,
    environment: {
      ...site.environment,
      NODE_EXTRA_CA_CERTS: join(folder, 'ca.crt'),
      LISTEN_PORT: String(listening.port),
      INTERNAL_PORT: String(internal.port),
    },
  })
  await forwarder.start()
  return forwarder
}

async function caller() {
  const plugin = site.plugin({ baseUrl, publicKey: keys.publicKey })
  const pass = await site.pass({ plugins: [plugin], nowMs: Date.now() })
  const { request } = await ask(keys.publicKey)
  const call = (at: AppProcess | undefined) => post(at ?? { url: '' }, '/call', { pass, plugin_id: plugin, request })
  return { call, plugin }
}

/** Holds every question until `release`. */
function hold(): { release(): void } {
  const waiting: (() => void)[] = []
  let isOpen = false
  server.handle = async (request, response, body) => {
    if (!isOpen) await new Promise<void>((resolve) => waiting.push(resolve))
    if (!response.destroyed) await honest(request, response, body)
  }
  return {
    release() {
      isOpen = true
      for (const go of waiting) go()
    },
  }
}

test('three processes together have 8 calls in flight at a plugin, and more are refused [FWD-12]', async () => {
  const { call } = await caller()
  const held = hold()
  server.load.most = 0
  const calls = Array.from({ length: 30 }, (_, index) => call(processes[index % 3]))
  await waitUntil('all places are taken', WAIT_MS, () => server.load.now === PLACES)
  held.release()
  const answers = await Promise.all(calls)
  const counted = Object.groupBy(answers, ({ status }) => status)
  expect(server.load.most).toBe(PLACES)
  expect(counted[200]).toHaveLength(PLACES)
  expect(counted[429]).toHaveLength(30 - PLACES)
  for (const { body, headers } of counted[429] ?? []) {
    expect(body['error_key']).toBe('plugin.busy')
    expect(headers.get('retry-after')).toBe('1')
  }
})

test('the places of a killed process are free again within 5 s [FWD-12]', async () => {
  const { call, plugin } = await caller()
  hold()
  const calls = Array.from({ length: PLACES }, () => call(first).catch(() => null))
  await waitUntil('all places are taken', WAIT_MS, () => server.load.now === PLACES)
  expect(await call(second)).toMatchObject({ status: 429, body: { error_key: 'plugin.busy' } })
  onTestFinished(() => first?.start())
  await first?.kill()
  // By the clock of Redis: on a busy machine the time until the next call says little.
  const killedAtMs = await redisTimeMs()
  const ends = await leaseEndsMs(plugin)
  expect(ends).toHaveLength(PLACES)
  for (const endMs of ends) expect(endMs - killedAtMs).toBeLessThan(5000)
  await Promise.all(calls)
  server.handle = honest
  await waitUntil('a place is free', WAIT_MS, async () => (await call(second)).status === 200)
  expect(await redisTimeMs()).toBeGreaterThanOrEqual(Math.min(...ends))
})

async function redisTimeMs(): Promise<number> {
  const [seconds = 0, microseconds = 0] = numbersIn(await askRedis(site.redis.url, 'TIME'))
  return seconds * 1000 + microseconds / 1000
}

async function leaseEndsMs(plugin: string): Promise<readonly number[]> {
  const key = `sealpost:quota:${plugin}:places`
  return numbersIn(await askRedis(site.redis.url, `ZRANGE ${key} 0 -1 WITHSCORES`))
}

/** The values of a reply that are whole numbers; lengths and ids are not. */
function numbersIn(reply: string): readonly number[] {
  return reply.split('\r\n').flatMap((line) => (/^\d{4,}$/.test(line) ? [Number(line)] : []))
}

test('a minute has 60 calls of all processes together, however they race [FWD-13] [LIMIT-08]', async () => {
  const { call } = await caller()
  const outcomes: { status: number; body: Readonly<Record<string, unknown>>; headers: Headers }[] = []
  const startedAt = performance.now()
  while (outcomes.filter(({ status }) => status === 200).length < RATE && performance.now() - startedAt < WAIT_MS)
    outcomes.push(...(await Promise.all(Array.from({ length: 6 }, (_, index) => call(processes[index % 3])))))
  const last = await Promise.all([call(first), call(second), call(third)])
  expect(outcomes.filter(({ status }) => status === 200)).toHaveLength(RATE)
  for (const { status, body, headers } of last) {
    expect({ status, key: body['error_key'] }).toEqual({ status: 429, key: 'plugin.rate_limited' })
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
    expect(Number(headers.get('retry-after'))).toBeLessThanOrEqual(60)
  }
  const other = await caller()
  expect((await other.call(first)).status).toBe(200)
})

test('an answer that is refused or fails takes a call of the minute, and frees its place', async () => {
  const { call } = await caller()
  server.handle = (_request, response) => sendJson(response, {}, 500)
  for (let count = 0; count < PLACES + 2; count += 1) expect((await call(processes[count % 3])).status).toBe(502)
})

test('hostile answers do not fill the memory of a process', async () => {
  const megabytes = () => processMegabytes(first?.pid() ?? -1)
  const huge = Buffer.alloc(10 * 1024 * 1024, 'a')
  server.handle = (_request, response) => void response.writeHead(200).end(huge)
  const plugins = Array.from({ length: 30 }, () => site.plugin({ baseUrl, publicKey: keys.publicKey }))
  const { request } = await ask(keys.publicKey)
  const [pass, registry] = await Promise.all(
    ['flow', 'registry'].map((kind) => site.pass({ kind, plugins, nowMs: Date.now() })),
  )
  const before = megabytes()
  const statuses: number[] = []
  for (const plugin of plugins) {
    const answers = await Promise.all([
      post(first ?? { url: '' }, '/call', { pass, plugin_id: plugin, request }),
      post(first ?? { url: '' }, '/registry', { pass: registry, plugin_id: plugin }),
    ])
    statuses.push(...answers.map(({ status }) => status))
  }
  const growth = megabytes() - before
  expect(statuses).toEqual(plugins.flatMap(() => [502, 200]))
  for (const plugin of plugins) expect(site.region.plugins.get(plugin)?.refreshes).toMatchObject([{ ok: false }])
  // The server offered 600 MB.
  expect(growth).toBeLessThan(120)
})
