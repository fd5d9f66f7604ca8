import { spawn } from 'node:child_process'
import { createServer } from 'node:http'
import { fileURLToPath } from 'node:url'
import {
  type Installation,
  northwind,
  reservePort,
  type ScenarioContext,
  startInstallation,
  waitUntil,
} from '@sealpost/testkit'
import { cpuMicroseconds } from '../cpu.ts'
import { meterBackends, redisMicroseconds } from '../engine-cpu.ts'
import { sendLoad } from '../load.ts'
import { multiplyClient } from './clients.ts'
import type { BarePlan } from './plan.ts'

/** CPU time in microseconds, by who spent it. */
export interface Spent {
  readonly process: number
  /** The database backends that serve the process; none on the bare side. */
  readonly database: number
  readonly redis: number
}

export interface Target {
  readonly name: 'ours' | 'bare'
  readonly url: string
  spent(): Promise<Spent>
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

/** One bucket for everybody behind an address, and the load comes from one: sizes are settings, the taking stays. */
const WIDE_LIMITS = { RATE_TOKEN: '60000000', RATE_DATA: '60000000' }

export async function startTargets(context: ScenarioContext): Promise<Targets> {
  const settings = { ...WIDE_LIMITS, TRACE_URL: await startTraceSink(context) }
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
    async spent() {
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
    spent: () => Promise.resolve({ process: cpuMicroseconds(pid), database: 0, redis: 0 }),
  }
}

async function issues(url: string): Promise<boolean> {
  try {
    return (await fetch(url, { method: 'POST', headers: FORM, body: tokenForm(northwind.clientId) })).ok
  } catch {
    return false
  }
}

/** Takes traces as a collector would, so that exporting them costs what it costs. */
async function startTraceSink(context: ScenarioContext): Promise<string> {
  const { port } = await reservePort()
  const server = createServer((request, response) => {
    request.resume().on('end', () => response.writeHead(200, { 'content-type': 'application/json' }).end('{}'))
  })
  await new Promise<void>((resolve) => void server.listen(port, '127.0.0.1', resolve))
  context.onEnd(async () => void server.close())
  return `http://127.0.0.1:${port}/v1/traces`
}
