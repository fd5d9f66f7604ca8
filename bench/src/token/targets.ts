import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import {
  type Installation,
  northwind,
  reservePort,
  type ScenarioContext,
  startInstallation,
  UNLIMITED_RATES,
  waitUntil,
  withClient,
} from '@sealpost/testkit'
import { cpuMicroseconds } from '../cpu.ts'
import { meterBackends, redisMicroseconds } from '../engine-cpu.ts'
import { sendLoad } from '../load.ts'
import { startTraceSink } from '../trace-sink.ts'
import type { BarePlan } from './plan.ts'

/** CPU time in microseconds. */
export interface CpuTime {
  readonly process: number
  /** Of the database backends that serve the process; the bare engine has none. */
  readonly database: number
  readonly redis: number
}

export interface Target {
  readonly name: 'ours' | 'bare'
  readonly url: string
  used(): Promise<CpuTime>
}

export interface Targets {
  /** One form per client. */
  readonly forms: readonly string[]
  readonly ours: Target
  readonly bare: Target
  readonly installation: Installation
}

const CONNECTIONS = 32
const CLIENTS = 64
const FORM = { 'content-type': 'application/x-www-form-urlencoded' }

export async function startTargets(context: ScenarioContext): Promise<Targets> {
  const settings = { ...UNLIMITED_RATES, TRACE_URL: await startTraceSink(context) }
  const installation = await startInstallation({ settings, onStep: (step) => context.progress(step) })
  context.onEnd(() => installation.stop())
  const { DIRECTORY_DATABASE_URL: databaseUrl = '' } = installation.environment.frontDoor
  const clientIds = await multiplyClient(databaseUrl, northwind.clientId, CLIENTS)
  return {
    installation,
    forms: clientIds.map(tokenForm),
    ours: await ourTarget(context, installation),
    bare: await bareTarget(context, installation, clientIds),
  }
}

export function requestTokens(url: string, forms: readonly string[], requests: number): Promise<void> {
  return sendLoad({ url, headers: FORM, requests, connections: CONNECTIONS, bodies: forms })
}

function tokenForm(clientId: string): string {
  const form = { grant_type: 'client_credentials', client_id: clientId, client_secret: northwind.clientSecret }
  return new URLSearchParams(form).toString()
}

async function ourTarget(context: ScenarioContext, { frontDoor, environment }: Installation): Promise<Target> {
  const { DIRECTORY_DATABASE_URL: databaseUrl = '', REDIS_URL: redisUrl = '' } = environment.frontDoor
  const backends = await meterBackends(databaseUrl, 'sealpost-front-door')
  context.onEnd(() => backends.close())
  return {
    name: 'ours',
    url: `${frontDoor.url}/oauth2/token`,
    async used() {
      const [database, redis] = await Promise.all([backends.microseconds(), redisMicroseconds(redisUrl)])
      return { process: cpuMicroseconds(frontDoor.pid()), database, redis }
    },
  }
}

async function bareTarget(
  context: ScenarioContext,
  { environment }: Installation,
  clientIds: readonly string[],
): Promise<Target> {
  const { port } = await reservePort()
  const { clientSecret } = northwind
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the key set that the installation was started with
  const signingKeys = JSON.parse(environment.frontDoor['SIGNING_KEYS'] ?? '') as BarePlan['signingKeys']
  const plan: BarePlan = { port, clientIds, clientSecret, signingKeys }
  const child = spawn(process.execPath, [fileURLToPath(new URL('bare-server.ts', import.meta.url))], {
    env: { BARE_PLAN: JSON.stringify(plan) },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  context.onEnd(async () => void child.kill('SIGKILL'))
  const url = `http://127.0.0.1:${port}/oauth2/token`
  await waitUntil('the bare engine issues a token', 20_000, () => issues(url))
  const { pid = -1 } = child
  return {
    name: 'bare',
    url,
    used: () => Promise.resolve({ process: cpuMicroseconds(pid), database: 0, redis: 0 }),
  }
}

async function issues(url: string): Promise<boolean> {
  try {
    return (await fetch(url, { method: 'POST', headers: FORM, body: tokenForm(northwind.clientId) })).ok
  } catch {
    return false
  }
}

/**
 * Adds copies of a client with the same secret to the directory and returns all ids: a real front door serves many clients,
 * and caching one of them must not improve the result.
 */
async function multiplyClient(databaseUrl: string, clientId: string, count: number): Promise<readonly string[]> {
  return withClient(databaseUrl, async (client) => {
    const { rows } = await client.query<{ client_id: string }>(
      `insert into directory.client
      select (jsonb_populate_record(model, jsonb_build_object(
        'client_id', 'svc_Bench' || lpad(n::text, 19, '0'), 'service_id', gen_random_uuid()))).*
      from directory.client model, generate_series(2, $2) n
      where model.client_id = $1
      returning client_id`,
      [clientId, count],
    )
    return [clientId, ...rows.map((row) => row.client_id)]
  })
}
