import { quietTelemetry } from '@sealpost/telemetry'
import { afterAll, expect, test } from 'vitest'
import { type DegradedEngine, openInternalServer } from './health.ts'

let reason: string | null = null
const telemetry = quietTelemetry()
telemetry.counter('test_total', 'For tests').add(1)
const degraded: DegradedEngine[] = []
const checks = [
  { name: 'postgres', run: async () => {} },
  {
    name: 'redis',
    run: async () => {
      if (reason !== null) throw new Error(reason)
    },
  },
]
const internal = openInternalServer(telemetry, checks, () => degraded)
const url = await internal.listen({ port: 0 })
afterAll(() => internal.close())

test('it listens on loopback unless configured otherwise', () => {
  expect(new URL(url).hostname).toBe('127.0.0.1')
})

test('it is alive, and ready while every check passes', async () => {
  expect(await (await fetch(`${url}/internal/live`)).json()).toEqual({ status: 'ok' })
  const ready = await fetch(`${url}/internal/ready`)
  expect([ready.status, await ready.json()]).toMatchObject([
    200,
    { status: 'ready', checks: [{ ok: true }, { ok: true }] },
  ])
})

test('it is not ready when a check fails, and names the check and the reason', async () => {
  reason = 'connection refused'
  const ready = await fetch(`${url}/internal/ready`)
  reason = null
  expect([ready.status, await ready.json()]).toEqual([
    503,
    {
      status: 'not_ready',
      checks: [
        { name: 'postgres', ok: true },
        { name: 'redis', ok: false, reason: 'connection refused' },
      ],
      degraded: [],
    },
  ])
})

test('it stays ready without an engine that it can serve without, and names the engine', async () => {
  const away = { engine: 'file store', since: '2026-01-02T00:00:00.000+00:00', reason: 'no answer' }
  degraded.push(away)
  const ready = await fetch(`${url}/internal/ready`)
  degraded.pop()
  expect([ready.status, await ready.json()]).toMatchObject([200, { status: 'ready', degraded: [away] }])
})

test('it serves the metrics and nothing else', async () => {
  expect(await (await fetch(`${url}/internal/metrics`)).text()).toContain('test_total')
  expect((await fetch(`${url}/internal/other`)).status).toBe(404)
  expect((await fetch(`${url}/internal/live`, { method: 'POST' })).status).toBe(405)
})

test('a draining process is alive but not ready', async () => {
  internal.drain()
  expect((await fetch(`${url}/internal/ready`)).status).toBe(503)
  expect((await fetch(`${url}/internal/live`)).status).toBe(200)
})
