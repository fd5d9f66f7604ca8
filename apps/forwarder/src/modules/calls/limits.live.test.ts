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
import { type Answer, ask, openSite, post } from '../../testing/site.ts'

/** Limits of a plugin that three processes share. Their clock is the real one: Redis has no other. */
const WAIT_MS = 30_000
const PLACES = 8
const RATE = 60
const WINDOW_MS = 60_000
const ATTEMPTS = 10
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

/** A held call ends after 3 s. What took longer, on a busy machine, shows nothing (null) and is tried again. */
async function inTime<T>(attempt: () => Promise<T | null>): Promise<T> {
  for (let count = 0; count < ATTEMPTS; count += 1) {
    const shown = await attempt()
    if (shown !== null) return shown
  }
  throw new Error(`each of ${ATTEMPTS} attempts took longer than its calls may`)
}

/** More calls than places, at all processes; the answers, if every call that had a place was held until the others were refused. */
async function callTogether(): Promise<Partial<Record<number, Answer[]>> | null> {
  const { call } = await caller()
  const held = hold()
  server.load.most = 0
  let answered = 0
  const calls = Array.from({ length: 30 }, async (_, index) => {
    const answer = await call(processes[index % 3])
    answered += 1
    return answer
  })
  const isDecided = () => answered + server.load.now >= 30 && server.load.now >= PLACES
  await waitUntil('all but the held ones are answered', WAIT_MS, () => isDecided() || answered > 30 - PLACES)
  held.release()
  const counted = Object.groupBy(await Promise.all(calls), ({ status }) => status)
  return counted[502] === undefined ? counted : null
}

test('three processes together have 8 calls in flight at a plugin, and more are refused [FWD-12]', async () => {
  const counted = await inTime(callTogether)
  expect(server.load.most).toBe(PLACES)
  expect(counted[200]).toHaveLength(PLACES)
  expect(counted[429]).toHaveLength(30 - PLACES)
  for (const { body, headers } of counted[429] ?? []) {
    expect(body['error_key']).toBe('plugin.busy')
    expect(headers.get('retry-after')).toBe('1')
  }
})

test('the places of a killed process are free again within 5 s [FWD-12]', async () => {
  const { call, refused, killedAtMs, ends } = await inTime(killWithCalls)
  onTestFinished(() => first?.start())
  expect(refused).toMatchObject({ status: 429, body: { error_key: 'plugin.busy' } })
  expect(ends).toHaveLength(PLACES)
  for (const endMs of ends) expect(endMs - killedAtMs).toBeLessThan(5000)
  server.handle = honest
  await waitUntil('a place is free', WAIT_MS, async () => (await call(second)).status === 200)
  expect(await redisTimeMs()).toBeGreaterThanOrEqual(Math.min(...ends))
})

/** Kills the first process while it has all places; null if one of its calls has ended before. */
async function killWithCalls() {
  const { call, plugin } = await caller()
  hold()
  let ended = 0
  const calls = Array.from({ length: PLACES }, () =>
    call(first).then(
      () => (ended += 1),
      () => null,
    ),
  )
  await waitUntil('all places are taken', WAIT_MS, () => server.load.now === PLACES || ended > 0)
  const refused = await call(second)
  // By the clock of Redis: on a busy machine the time until the next call says little.
  const killedAtMs = await redisTimeMs()
  const ends = await leaseEndsMs(plugin)
  await first?.kill()
  await Promise.all(calls)
  if (ended === 0) return { call, refused, killedAtMs, ends }
  await first?.start()
  return null
}

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
  const { entered, last } = await inTime(callForAMinute)
  expect(entered).toHaveLength(RATE)
  for (const { status, body, headers } of last) {
    expect({ status, key: body['error_key'] }).toEqual({ status: 429, key: 'plugin.rate_limited' })
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
    expect(Number(headers.get('retry-after'))).toBeLessThanOrEqual(60)
  }
  const other = await caller()
  expect((await other.call(first)).status).toBe(200)
})

/** Until one call is refused for the rate; null if the first ones were not in the same minute or had no answer in time. */
async function callForAMinute() {
  const { call } = await caller()
  const answers: Answer[] = []
  const startedMs = await redisTimeMs()
  while (!answers.some(({ body }) => body['error_key'] === 'plugin.rate_limited') && answers.length < 4 * RATE)
    answers.push(...(await Promise.all(Array.from({ length: 6 }, (_, index) => call(processes[index % 3])))))
  const last = await Promise.all([call(first), call(second), call(third)])
  const areInTime = (await redisTimeMs()) - startedMs < WINDOW_MS && answers.every(({ status }) => status !== 502)
  return areInTime ? { entered: answers.filter(({ status }) => status === 200), last } : null
}

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
