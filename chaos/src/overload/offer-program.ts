import { readPlan } from '../load-program.ts'
import { sendPaced } from '../send-paced.ts'
import { LightClient } from './light-client.ts'
import { IN_TIME_MS, type OfferPlan, type OfferReport, type Tenant } from './plan.ts'

/** Offers so many calls a second, whatever the answers are. */
const plan = readPlan<OfferPlan>()
const client = new LightClient(plan.apiUrl)
const accepted: number[] = []
const wrong: Record<string, number> = {}
let [sent, refused] = [0, 0]

const pace = {
  callsPerTarget: Math.ceil((plan.perSecond * plan.seconds) / plan.tenants.length),
  perSecond: plan.perSecond / plan.tenants.length,
}
await sendPaced(plan.tenants, pace, send)
client.close()
const report: OfferReport = { sent, accepted, refused, wrong }
process.send?.(report, () => process.exit(0))

async function send(tenant: Tenant, number: number, dueMs: number): Promise<void> {
  sent += 1
  const answered = await inTime(client.send(requestOf(tenant, number)))
  if (answered === null) count('broken')
  else if (answered === 'late') count('late')
  else if (answered.status === 200) accepted.push(performance.now() - dueMs)
  else if (answered.status === 503 && answered.hasRetryAfter) refused += 1
  else count(String(answered.status))
}

function count(what: string): void {
  wrong[what] = (wrong[what] ?? 0) + 1
}

function inTime<T>(answering: Promise<T>): Promise<T | 'late'> {
  const { promise, resolve } = Promise.withResolvers<'late'>()
  const timer = setTimeout(() => resolve('late'), IN_TIME_MS)
  return Promise.race([answering, promise]).finally(() => clearTimeout(timer))
}

/** Of ten calls six read a connection, two only the token, one the account, and one writes. */
function requestOf({ connectionId, dataToken, portalToken }: Tenant, number: number): string {
  const turn = number % 10
  if (turn < 6) return get(`/api/company-data/connections/${connectionId}`, dataToken)
  if (turn < 8) return get('/api/company-data/whoami', dataToken)
  if (turn === 8) return get('/api/account', portalToken)
  const body = JSON.stringify({ display_name: `Tenant ${number}` })
  const head = headOf('PUT', '/api/profile', portalToken)
  return `${head}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`
}

function get(path: string, token: string): string {
  return `${headOf('GET', path, token)}\r\n`
}

function headOf(method: string, path: string, token: string): string {
  return `${method} ${path} HTTP/1.1\r\nHost: overload.example\r\nAuthorization: Bearer ${token}\r\n`
}
