import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { type Clock, instant } from '@sealpost/kernel'
import { quietTelemetry, recordingTelemetry, type RecordingTelemetry, type Telemetry } from '@sealpost/telemetry'
import { freshBucket, limiterConformance, take } from '@sealpost/testkit/conformance/redis'
import { type PrivateEngine, startPrivateRedis, waitUntil } from '@sealpost/testkit/engines'
import fc from 'fast-check'
import { Redis } from 'ioredis'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { type LimitRequest, paceOf } from './bucket.ts'
import { giveBackScript } from './give-back-script.ts'
import { openLimiter, openRedis, type Limiter } from './index.ts'
import { openLocalBuckets } from './local-buckets.ts'
import { GIVEN_TIME, paceArguments, planCharacter, takeScript } from './take-script.ts'

const BACK_MS = 15_000
const clock: Clock = { now: () => instant(Date.now()) }
let server: PrivateEngine

beforeAll(async () => {
  server = await startPrivateRedis()
})
afterAll(() => server.remove())

limiterConformance('shared over Redis', async () => {
  const [here, there] = await Promise.all([openProcess(server.url), openProcess(server.url)])
  return {
    here: here.limiter,
    there: there.limiter,
    end: async () => void (await Promise.all([here.close(), there.close()])),
  }
})

describe('the script', () => {
  test('agrees with the buckets of a process to the last token', async () => {
    const client = new Redis(server.url)
    let run = 0
    await fc.assert(
      fc.asyncProperty(histories(), async (history) => {
        run += 1
        let nowMs = clock.now()
        const local = openLocalBuckets({ now: () => instant(nowMs) })
        for (const { pauseMs, requests, isGivenBack } of history) {
          nowMs = instant(nowMs + pauseMs)
          const own = requests.map((group) => group.map((request) => ({ ...request, key: `${run}:${request.key}` })))
          expect(await runScript(client, own, nowMs)).toEqual(own.flatMap((group) => local.take(group)))
          if (!isGivenBack) continue
          for (const group of own) local.giveBack(group)
          for (const group of own) await giveBack(client, group, nowMs)
        }
      }),
      { numRuns: 60 },
    )
    client.disconnect()
  })

  test('leaves keys that expire when the bucket is full', async () => {
    const client = new Redis(server.url)
    const { limiter, close } = await openProcess(server.url)
    const bucket = freshBucket({ quota: 10, windowSeconds: 60 })
    await limiter.take([bucket])
    await limiter.take([bucket])
    const ttlMs = await client.pttl(`sealpost:rate:data:${bucket.key}`)
    expect(ttlMs).toBeGreaterThan(0)
    expect(ttlMs).toBeLessThanOrEqual(12_000)
    client.disconnect()
    await close()
  })

  test('is loaded again after the server lost it', async () => {
    const client = new Redis(server.url)
    const { limiter, close } = await openProcess(server.url)
    await client.script('FLUSH')
    expect(await take(limiter, freshBucket())).toBe('allowed')
    expect(limiter.isShared()).toBe(true)
    client.disconnect()
    await close()
  })
})

describe('while Redis is unreachable', () => {
  test('limits apply per process, logins are refused, and all processes share limits again afterwards', async () => {
    const engine = await privateRedis()
    const telemetry = recordingTelemetry()
    const here = await openProcess(engine.url, telemetry)
    const there = await openProcess(engine.url)
    const bucket = freshBucket({ quota: 5 })
    const login = { ...freshBucket(), failClosed: true }
    expect(await takeTimes(here.limiter, bucket, 5)).toBe(5)
    expect(await take(here.limiter, login)).toBe('allowed')

    const underWay = Array.from({ length: 40 }, () => here.limiter.take([freshBucket()]))
    await engine.kill()
    expect((await Promise.all(underWay)).map((answer) => answer.outcome)).not.toContain('unavailable')
    await waitUntil('the loss is detected', BACK_MS, async () => {
      await here.limiter.take([freshBucket()])
      return !here.limiter.isShared()
    })
    expect(await takeTimes(here.limiter, bucket, 8)).toBe(5)
    expect(await take(here.limiter, login)).toBe('unavailable')

    await engine.start()
    await waitUntil('limits are shared again', BACK_MS, async () => {
      await there.limiter.take([freshBucket()])
      return here.limiter.isShared() && there.limiter.isShared()
    })
    expect(await take(here.limiter, login)).toBe('allowed')
    const shared = freshBucket({ quota: 7 })
    expect((await takeTimes(here.limiter, shared, 5)) + (await takeTimes(there.limiter, shared, 5))).toBe(7)
    expect(transitions(telemetry)).toEqual([
      expect.stringContaining('rate limits apply per process'),
      expect.stringContaining('rate limits are shared by all processes again'),
    ])
    await Promise.all([here.close(), there.close()])
  })

  test('a server that accepts commands and answers none is detected within the command timeout', async () => {
    const proxy = await openProxy(server.url)
    const { limiter, close } = await openProcess(proxy.url)
    expect(await take(limiter, freshBucket())).toBe('allowed')
    proxy.stall()
    expect(await take(limiter, freshBucket())).toBe('allowed')
    expect(limiter.isShared()).toBe(false)
    proxy.resume()
    await waitUntil('a new connection is made', BACK_MS, () => limiter.isShared())
    await close()
    proxy.close()
  })

  test('a process starts without it and joins later', async () => {
    const engine = await privateRedis()
    await engine.kill()
    const telemetry = recordingTelemetry()
    const { limiter, close } = await openProcess(engine.url, telemetry)
    expect(limiter.isShared()).toBe(false)
    expect(await takeTimes(limiter, freshBucket({ quota: 3 }), 5)).toBe(3)
    expect(await telemetry.prometheus()).toContain('\nredis_up 0\n')
    await engine.start()
    await waitUntil('limits are shared', BACK_MS, () => limiter.isShared())
    expect(await telemetry.prometheus()).toContain('\nredis_up 1\n')
    await close()
  })

  test('a process that ends meanwhile does not wait for it, and does not reconnect', async () => {
    const engine = await privateRedis()
    const redis = await openRedis({ url: engine.url, telemetry: quietTelemetry() })
    await engine.kill()
    await waitUntil('the loss is detected', BACK_MS, () => !redis.isReady())
    await redis.close()
    await engine.start()
    const client = new Redis(engine.url)
    expect(String(await client.client('LIST')).match(/^id=/gm)).toHaveLength(1)
    expect(redis.isReady()).toBe(false)
    client.disconnect()
  })

  test.each(['', 'localhost:6379', 'http://localhost'])('an address like "%s" is refused with a hint', async (url) => {
    await expect(openRedis({ url, telemetry: quietTelemetry() })).rejects.toThrow('redis://host:6379/0')
  })
})

async function openProcess(url: string, telemetry: Telemetry = quietTelemetry()) {
  const redis = await openRedis({ url, telemetry })
  const limiter = openLimiter({ redis, clock, telemetry })
  const close = async (): Promise<void> => {
    limiter.close()
    await redis.close()
  }
  return { limiter, close }
}

async function privateRedis(): Promise<PrivateEngine> {
  const engine = await startPrivateRedis()
  onTestFinished(() => engine.remove())
  return engine
}

async function takeTimes(limiter: Limiter, request: LimitRequest, times: number): Promise<number> {
  let allowed = 0
  for (let i = 0; i < times; i += 1) if ((await take(limiter, request)) === 'allowed') allowed += 1
  return allowed
}

function transitions(telemetry: RecordingTelemetry): string[] {
  return telemetry
    .lines()
    .map((line) => line.msg)
    .filter((message) => message.startsWith('rate limits'))
}

/** Few keys and odd sizes; windows so long that no key expires by the real clock while a case runs. */
function histories() {
  const request = fc.record({
    policy: fc.constantFrom('data', 'changes'),
    key: fc.constantFrom('a', 'b'),
    quota: fc.integer({ min: 1, max: 40 }),
    windowSeconds: fc.integer({ min: 3_600, max: 7_200 }),
  })
  const group = fc.uniqueArray(request, {
    minLength: 1,
    maxLength: 3,
    selector: ({ policy, key }) => `${policy}:${key}`,
  })
  const step = fc.record({
    pauseMs: fc.oneof(fc.integer({ min: 0, max: 50 }), fc.integer({ min: 0, max: 3_600_000 })),
    requests: fc.array(group, { minLength: 1, maxLength: 8 }),
    isGivenBack: fc.boolean(),
  })
  return fc.array(step, { minLength: 1, maxLength: 12 })
}

async function runScript(client: Redis, groups: readonly LimitRequest[][], nowMs: number): Promise<unknown> {
  const keys = groups.flat()
  const flags = groups.flatMap((group) => group.map((_, index) => index === group.length - 1))
  const plan = flags.map((isLast, index) => planCharacter(index, isLast)).join('')
  const names = keys.map((request) => `agree:${request.policy}:${request.key}`)
  const args = [plan, ...paceArguments(keys.map(paceOf)), String(nowMs)]
  return client.eval(takeScript(GIVEN_TIME), names.length, ...names, ...args)
}

async function giveBack(client: Redis, requests: readonly LimitRequest[], nowMs: number): Promise<void> {
  const names = requests.map((request) => `agree:${request.policy}:${request.key}`)
  const args = [...paceArguments(requests.map(paceOf)), String(nowMs)]
  await client.eval(giveBackScript(GIVEN_TIME), names.length, ...names, ...args)
}

/** A proxy to Redis that can be stopped without closing: simulates a lost route. */
async function openProxy(url: string) {
  const target = Number(new URL(url).port)
  const sockets = new Set<Socket>()
  let isStalled = false
  const proxy = createServer((near) => {
    const far = connect(target, '127.0.0.1')
    for (const socket of [near, far]) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => [near, far].forEach((end) => end.destroy()))
    }
    near.on('data', (bytes) => void (isStalled || far.write(bytes)))
    far.on('data', (bytes) => void (isStalled || near.write(bytes)))
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  return {
    url: `redis://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    stall: () => void (isStalled = true),
    resume: () => void (isStalled = false),
    close() {
      proxy.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}
