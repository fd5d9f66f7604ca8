import { openRedis, openLimiter } from './src/index.ts'
import { quietTelemetry } from '@sealpost/telemetry'
const telemetry = quietTelemetry()
const redis = await openRedis({ url: 'redis://127.0.0.1:6379', keyPrefix: 'tmpbench:', telemetry })
const limiter = openLimiter({ redis, clock: { now: () => Date.now() as any }, telemetry })
const N = 60000
async function run(n: number, conc: number) {
  let left = n, refused = 0
  await Promise.all(Array.from({ length: conc }, async (_, c) => { while (left-- > 0) { const a = await limiter.take([{ policy: 'data', key: `svc_${c}${left % 50}`, quota: 6000, windowSeconds: 60 }]); if (a.outcome !== 'allowed') refused++ } }))
  return refused
}
for (const conc of [1, 8, 32, 128]) {
await run(N / 3, conc)
const out = []
for (let k = 0; k < 3; k++) {
const c = process.cpuUsage(), t = performance.now()
const refused = await run(N, conc)
const d = process.cpuUsage(c), w = performance.now() - t
out.push(`${((d.user + d.system) / N).toFixed(1)} cpu ${(w * 1000 / N).toFixed(1)} wall (${refused})`) }
console.log(conc, out.join(' | ')) }
limiter.close(); await redis.close()
const dead = await openRedis({ url: 'redis://127.0.0.1:1', telemetry: quietTelemetry() })
const t2 = quietTelemetry()
const local = openLimiter({ redis: dead, clock: { now: () => Date.now() as any }, telemetry: t2 })
const c = process.cpuUsage()
for (let i = 0; i < 300000; i++) await local.take([{ policy: 'data', key: `svc_${i % 999}`, quota: 6000, windowSeconds: 60 }])
const d = process.cpuUsage(c); console.log('degraded', ((d.user + d.system) / 300000).toFixed(2))
process.exit()
