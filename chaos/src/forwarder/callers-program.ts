import { call } from '../calls.ts'
import { readPlan } from '../load-program.ts'
import { sendPaced } from '../send-paced.ts'
import type { CallersPlan, CallersReport } from './plan.ts'

/** Clients that call plugins as usual, each plugin at a steady rate. */
const plan = readPlan<CallersPlan>()
const latencies: number[] = []
const failures: Record<string, number> = {}

await sendPaced(plan.plugins, { callsPerTarget: plan.callsPerPlugin, perSecond: plan.perSecond }, send)
const report: CallersReport = { latencies, failures }
process.send?.(report, () => process.exit(0))

async function send(plugin: string, _number: number, dueMs: number): Promise<void> {
  const body = JSON.stringify({ pass: plan.pass, plugin_id: plugin, request: plan.request })
  const headers = { 'content-type': 'application/json' }
  const outcome = await call(plan.url, { method: 'POST', headers, body }, () => true)
  latencies.push(performance.now() - dueMs)
  if (outcome.kind === 'done') return
  const status = outcome.kind === 'refused' ? outcome.status : 0
  failures[status] = (failures[status] ?? 0) + 1
}
