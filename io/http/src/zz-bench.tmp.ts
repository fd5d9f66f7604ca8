// usage: node bench.tmp.ts <variant> → server process prints port; parent mode drives
import { fork } from 'node:child_process'
import { randomFillSync } from 'node:crypto'
import { Agent, request as httpRequest } from 'node:http'
import { createIds, instant } from '@sealpost/kernel'
import { whoami } from '@sealpost/protocol'
import { quietTelemetry, startTelemetry } from '@sealpost/telemetry'
import Fastify from 'fastify'
import { bindRoute, openServer, type Gates } from './index.ts'
const body = {
  company_user_id: '01890a5d-ac96-774b-bcce-b302099a8057',
  service_id: '01890a5d-ac96-774b-bcce-b302099a8058',
}
const variant = process.argv[2]
const clock = { now: () => instant(Date.now()) }
const pool = new Uint8Array(4096)
let at = 4096
const random = {
  bytes(n: number) {
    if (at + n > 4096) {
      randomFillSync(pool)
      at = 0
    }
    at += n
    return pool.subarray(at - n, at)
  },
}
const gates: Gates<{ name: string }> = {
  checkPlatform() {},
  authenticate: () => ({ name: 'svc_x' }),
  checkHome() {},
  checkAccess() {},
  takeFromLimits: () => [
    { policy: 'data', quota: 600, windowSeconds: 60, remaining: 599, resetSeconds: 31, retryAfterSeconds: 0, allowed: true },
  ],
  checkWrites() {},
  checkLevel() {},
  nameOf: (c) => c.name,
}
if (variant && variant !== 'drive') {
  let url: string
  if (variant === 'bare') {
    const f = Fastify({ logger: false })
    f.get('/api/company-data/whoami', async () => body)
    url = await f.listen({ port: 0, host: '127.0.0.1' })
  } else if (variant === 'schema') {
    const f = Fastify({ logger: false })
    f.get('/api/company-data/whoami', { schema: { response: { 200: whoami.success.body } } }, async () => body)
    url = await f.listen({ port: 0, host: '127.0.0.1' })
  } else {
    const telemetry =
      variant === 'quiet'
        ? quietTelemetry()
        : startTelemetry({
            service: 'x',
            version: '1',
            instanceId: 'i',
            logLevel: 'info',
            logDestination: '/dev/null',
            clock,
            random,
            traceExporterUrl: variant === 'traced' ? 'http://127.0.0.1:9/v1/traces' : null,
          } as any)
    const s = openServer({
      telemetry,
      ids: createIds(clock, random),
      headerVendor: 'Platform',
      apiVersion: '1',
      trustedProxies: [],
      appOrigins: ['https://a.example'],
    })
    bindRoute(s, gates, { operation: whoami, handle: variant === 'sync' ? () => body : async () => body })
    url = await s.listen({ port: 0, host: '127.0.0.1' })
  }
  process.on('message', (m) => {
    if (m === 'cpu') {
      const u = process.cpuUsage()
      process.send!(u.user + u.system)
    }
  })
  process.send!(url)
} else {
  const variants = (process.argv[3] ?? 'bare,schema,quiet,full').split(',')
  const kids = await Promise.all(
    variants.map(
      (v) =>
        new Promise<any>((r) => {
          const k = fork(import.meta.filename, [v])
          k.once('message', (url) => r({ v, k, url }))
        }),
    ),
  )
  const agent = new Agent({ keepAlive: true, maxSockets: 20 })
  const cpu = (k: any) =>
    new Promise<number>((r) => {
      k.once('message', r)
      k.send('cpu')
    })
  const one = (url: string) =>
    new Promise<void>((res, rej) => {
      const q = httpRequest(
        url + '/api/company-data/whoami',
        { agent, headers: { authorization: 'Bearer abc', accept: 'application/json' } },
        (p) => {
          p.resume()
          p.on('end', () => res())
        },
      )
      q.on('error', rej)
      q.end()
    })
  const run = async (url: string, n: number) => {
    let left = n
    await Promise.all(
      Array.from({ length: 20 }, async () => {
        while (left-- > 0) await one(url)
      }),
    )
  }
  const N = Number(process.argv[4] ?? 6000)
  for (const { url } of kids) await run(url, 4000)
  const res: Record<string, number[]> = {}
  for (let round = 0; round < 5; round++)
    for (const { v, k, url } of kids) {
      const a = await cpu(k)
      await run(url, N)
      const b = await cpu(k)
      ;(res[v] ??= []).push((b - a) / N)
    }
  const med = (x: number[]) => x.sort((a, b) => a - b)[2]!
  const base = med(res.bare!)
  for (const v of variants) console.log(v, med(res[v]!).toFixed(1), 'us', (med(res[v]!) / base).toFixed(2))
  for (const { k } of kids) k.kill()
  agent.destroy()
}
