import { quietTelemetry } from '@sealpost/telemetry'
import { askRedis, type PrivateEngine, startPrivateRedis, waitUntil } from '@sealpost/testkit/engines'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type CallQuota, type CallQuotaOptions, openCallQuota, openRedis, type RedisConnection } from './index.ts'

const WAIT_MS = 20_000
let server: PrivateEngine
const opened: RedisConnection[] = []

beforeAll(async () => {
  server = await startPrivateRedis()
})
afterAll(async () => {
  await Promise.all(opened.map((redis) => redis.close()))
  await server.remove()
})

/** A process of its own, as far as Redis can tell. */
async function open(options: Partial<CallQuotaOptions> = {}): Promise<CallQuota> {
  const redis = await openRedis({ url: server.url, commandTimeoutMs: WAIT_MS, telemetry: quietTelemetry() })
  opened.push(redis)
  return openCallQuota({ redis, quota: 60, windowMs: 60_000, places: 8, leaseMs: 60_000, ...options })
}

test('calls that race in three processes never get more than the places', async () => {
  const quotas = await Promise.all([open(), open(), open()])
  const entries = await Promise.all(
    quotas.flatMap((quota, process) =>
      Array.from({ length: 20 }, (_, index) => quota.enter('race', `call ${index} of ${process}`)),
    ),
  )
  expect(entries.filter((entry) => entry.outcome === 'entered')).toHaveLength(8)
  expect(entries.filter((entry) => entry.outcome === 'busy')).toHaveLength(52)
})

test('a window is full after its quota, whichever process took it, and says when it has room', async () => {
  const quotas = await Promise.all([open({ places: 100 }), open({ places: 100 })])
  const entries = await Promise.all(
    quotas.flatMap((quota, process) =>
      Array.from({ length: 50 }, (_, index) => quota.enter('window', `call ${index} of ${process}`)),
    ),
  )
  expect(entries.filter((entry) => entry.outcome === 'entered')).toHaveLength(60)
  const refused = entries.filter((entry) => entry.outcome === 'limited')
  expect(refused).toHaveLength(40)
  for (const entry of refused) expect(entry).toMatchObject({ retryAfterMs: expect.any(Number) })
})

test('a refused call takes nothing, and a place that is left is free at once', async () => {
  const quota = await open({ places: 1, quota: 2 })
  expect(await quota.enter('left', 'one')).toEqual({ outcome: 'entered' })
  for (let count = 0; count < 5; count += 1)
    expect(await quota.enter('left', `no ${count}`)).toEqual({ outcome: 'busy' })
  await quota.leave('left', 'one')
  expect(await quota.enter('left', 'two')).toEqual({ outcome: 'entered' })
  await quota.leave('left', 'two')
  expect(await quota.enter('left', 'three')).toMatchObject({ outcome: 'limited' })
})

test('a place that is never left ends with its lease, and a window with its time; no key stays', async () => {
  const quota = await open({ places: 1, leaseMs: 300, windowMs: 600 })
  expect(await quota.enter('lease', 'one')).toEqual({ outcome: 'entered' })
  expect(await quota.enter('lease', 'two')).toEqual({ outcome: 'busy' })
  await waitUntil('the lease ends', WAIT_MS, async () => (await quota.enter('lease', 'three')).outcome === 'entered')
  await waitUntil('no key is left', WAIT_MS, async () => !(await askRedis(server.url, 'KEYS *')).includes(':lease:'))
  expect(await askRedis(server.url, 'KEYS *')).not.toContain(':lease:')
})

test('targets do not share anything', async () => {
  const quota = await open({ places: 1 })
  expect(await quota.enter('one', 'call')).toEqual({ outcome: 'entered' })
  expect(await quota.enter('other', 'call')).toEqual({ outcome: 'entered' })
})
