import { randomUUID } from 'node:crypto'
import { northwind, type ScenarioContext, withClient } from '@sealpost/testkit'
import { Pool } from 'undici'
import { meterBackends } from '../engine-cpu.ts'
import { openLineProgram } from '../line-program.ts'
import { type CpuMeter, openRegionMeter, perCall } from '../region-cpu.ts'
import { BARE_TABLES } from './bare-tables.ts'
import { type HintStream, openHintStream } from './hint-stream.ts'
import { type ApprovalSite, type Approver, POOL } from './site.ts'

/** Runs logins from the challenge to the read outcome. */
export interface ApprovalTarget {
  /** So many logins of each caller. Returns microseconds of CPU per login. */
  measure(challenges: number): Promise<number>
  close(): Promise<void>
}

/** How a caller raises, approves and reads. */
interface Wire {
  readonly url: string
  raise(approver: Approver): Sending
  approve(approver: Approver, id: string): Sending
  read(id: string): Sending
  readonly streamOf: (approver: Approver) => string
}

interface Sending {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly token: string
  readonly body?: object
}

export const CALLERS = 32
const CONTEXT = 'Login from Bern'

export async function openRegionTarget(context: ScenarioContext, site: ApprovalSite): Promise<ApprovalTarget> {
  const { installation, databaseUrl, token } = site
  const about = { databaseUrl, applicationName: 'sealpost-region-eu' }
  const meter = await openRegionMeter(context, installation.eu, about)
  return openTarget(site, meter, { url: installation.eu.url, ...regionWire(token) })
}

export function regionWire(token: string): Omit<Wire, 'url'> {
  return {
    raise: ({ shareCode }) => ({
      method: 'POST',
      path: '/api/service-2fa/challenges',
      token,
      body: { share_code: shareCode, idempotency_key: randomUUID(), context: CONTEXT },
    }),
    approve: ({ token: own, sign }, id) => ({
      method: 'POST',
      path: `/api/customer/2fa/challenges/${id}/approve`,
      token: own,
      body: { assertion: sign(id) },
    }),
    read: (id) => ({ method: 'GET', path: `/api/service-2fa/challenges/${id}`, token }),
    streamOf: () => '/api/customer/stream',
  }
}

export async function openBareTarget(context: ScenarioContext, site: ApprovalSite): Promise<ApprovalTarget> {
  const { installation, databaseUrl, approvers } = site
  await withClient(databaseUrl, async (client) => {
    await client.query(BARE_TABLES)
    await client.query(
      `insert into bench.connection (share_code, id, customer_id)
      select share_code, gen_random_uuid(), customer_id from unnest($1::text[], $2::uuid[]) as p (share_code, customer_id)`,
      [approvers.map(({ shareCode }) => shareCode), approvers.map(({ userId }) => userId)],
    )
  })
  const nats = installation.nats.find(({ region }) => region === 'eu')
  const { pid, send } = openLineProgram(context, new URL('bare-approval.ts', import.meta.url), {
    DATABASE_URL: databaseUrl,
    DATABASE_POOL: POOL,
    REDIS_URL: installation.environment.eu['REDIS_URL'] ?? '',
    NATS_URL: nats?.url ?? '',
    NATS_SEED: nats?.observer.reveal() ?? '',
    SERVICE_ID: northwind.serviceId,
  })
  const url = `http://127.0.0.1:${await send('port')}`
  const backends = await meterBackends(databaseUrl, 'bench-bare')
  context.onEnd(() => backends.close())
  const meter: CpuMeter = { pid, backends, idlePerMs: 0 }
  return openTarget(site, meter, {
    url,
    raise: ({ shareCode }) => ({
      method: 'POST',
      path: '/challenges',
      token: '',
      body: { share_code: shareCode, idempotency_key: randomUUID(), context: CONTEXT },
    }),
    approve: ({ userId }, id) => ({ method: 'POST', path: `/approve/${userId}/${id}`, token: '', body: {} }),
    read: (id) => ({ method: 'GET', path: `/challenges/${id}`, token: '' }),
    streamOf: ({ userId }) => `/stream/${userId}`,
  })
}

async function openTarget({ approvers }: ApprovalSite, meter: CpuMeter, wire: Wire): Promise<ApprovalTarget> {
  const pool = new Pool(wire.url, { connections: CALLERS, pipelining: 1 })
  const streams = await Promise.all(
    approvers.map((approver) => openHintStream(`${wire.url}${wire.streamOf(approver)}`, approver.token)),
  )
  const callers = Array.from({ length: CALLERS }, (_, number) => number % approvers.length)
  const runAll = (challenges: number): Promise<unknown> =>
    Promise.all(
      callers.map(async (place) => {
        const [approver, stream] = [approvers[place], streams[place]]
        if (approver === undefined || stream === undefined) throw new Error('no person for a caller')
        for (let number = 0; number < challenges; number += 1) await logIn(pool, wire, approver, stream)
      }),
    )
  return {
    measure: (challenges) => perCall(meter, challenges * CALLERS, () => runAll(challenges)),
    async close() {
      for (const stream of streams) stream.close()
      await pool.close()
    },
  }
}

async function logIn(pool: Pool, wire: Wire, approver: Approver, stream: HintStream): Promise<void> {
  const { challenge_id: id = '' } = await call(pool, wire.raise(approver))
  await stream.heard(id)
  await call(pool, wire.approve(approver, id))
  const { status } = await call(pool, wire.read(id))
  if (status !== 'approved') throw new Error(`a login ended ${status}`)
}

/** Throws on anything but 200. */
export async function call(pool: Pool, sending: Sending): Promise<Readonly<Record<string, string>>> {
  const { method, path, token, body: given } = sending
  const { statusCode, body } = await pool.request({
    method,
    path,
    headers: {
      authorization: `Bearer ${token}`,
      ...(given === undefined ? {} : { 'content-type': 'application/json' }),
    },
    body: given === undefined ? null : JSON.stringify(given),
  })
  const text = await body.text()
  if (statusCode !== 200) throw new Error(`${method} ${path} answered ${statusCode}: ${text}`)
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the strict contracts of the routes
  return JSON.parse(text) as Readonly<Record<string, string>>
}
