import { setTimeout as pause } from 'node:timers/promises'
import { callSession } from '@sealpost/testkit'
import { call } from '../calls.ts'
import { readPlan } from '../load-program.ts'
import { sendPaced } from '../send-paced.ts'
import type { CallKind, Neighbour, NeighboursPlan, NeighboursReport } from './plan.ts'

/** Tenants that use the API as usual, each at a steady rate; and users who log in beside them. */
const plan = readPlan<NeighboursPlan>()
const JSON_BODY = { 'content-type': 'application/json' }
const latencies: Record<CallKind, number[]> = { connection: [], token: [], account: [], write: [] }
const bare: number[] = []
const failures: Record<string, number> = {}
const state = { isOver: false }

const [loggedIn] = await Promise.all([logIn(), measure()])
const report: NeighboursReport = { latencies, bare, failures, ...loggedIn }
process.send?.(report, () => process.exit(0))

async function measure(): Promise<void> {
  const { tenants, callsPerTenant, perSecond } = plan
  const pace = { callsPerTarget: callsPerTenant, perSecond }
  const servers = plan.bareUrl === null ? [] : [plan.bareUrl]
  await Promise.all([sendPaced(tenants, pace, send), sendPaced(servers, pace, sendBare)])
  state.isOver = true
}

/** One call of ten writes, as with the tenants. */
async function sendBare(url: string, number: number, dueMs: number): Promise<void> {
  const { kind } = await call(url, { method: number % 10 === 9 ? 'PUT' : 'GET' }, () => true)
  if (kind !== 'done') throw new Error('the server without the product does not answer')
  bare.push(performance.now() - dueMs)
}

async function send(tenant: Neighbour, number: number, dueMs: number): Promise<void> {
  const { kind, path, token, init } = callOf(tenant, number)
  const headers = { authorization: `Bearer ${token}`, ...(init.body === undefined ? {} : JSON_BODY) }
  const outcome = await call(`${plan.apiUrl}${path}`, { ...init, headers }, () => true)
  latencies[kind].push(performance.now() - dueMs)
  if (outcome.kind === 'done') return
  const status = outcome.kind === 'refused' ? outcome.status : 0
  failures[status] = (failures[status] ?? 0) + 1
}

interface PlannedCall {
  readonly kind: CallKind
  readonly path: string
  readonly token: string
  readonly init: { readonly method?: string; readonly body?: string }
}

/** Of ten calls six read a connection, two only the token, one the account, and one writes. */
function callOf({ dataToken, portalToken, connectionId }: Neighbour, number: number): PlannedCall {
  const turn = number % 10
  if (turn < 6) {
    return { kind: 'connection', path: `/api/company-data/connections/${connectionId}`, token: dataToken, init: {} }
  }
  if (turn < 8) return { kind: 'token', path: '/api/company-data/whoami', token: dataToken, init: {} }
  if (turn === 8) return { kind: 'account', path: '/api/account', token: portalToken, init: {} }
  const body = JSON.stringify({ display_name: `Tenant ${number}` })
  return { kind: 'write', path: '/api/profile', token: portalToken, init: { method: 'PUT', body } }
}

async function logIn(): Promise<Pick<NeighboursReport, 'logins' | 'loginsRefused'>> {
  const { email, authVerifier, everyMs } = plan.login
  const body = { email, auth_verifier: authVerifier }
  let [logins, loginsRefused] = [0, 0]
  while (!state.isOver) {
    const status = await callSession(plan.frontDoorUrl, 'POST', '/api/session', { body }).then(
      (answer) => answer.status,
      () => 0,
    )
    logins += 1
    if (status !== 200) loginsRefused += 1
    await pause(everyMs)
  }
  return { logins, loginsRefused }
}
