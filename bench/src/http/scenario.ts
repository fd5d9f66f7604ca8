import { type ChildProcess, spawn } from 'node:child_process'
import { createServer } from 'node:http'
import { fileURLToPath } from 'node:url'
import { ServiceClient } from '@sealpost/sdk'
import {
  type Installation,
  northwind,
  reservePort,
  type Scenario,
  type ScenarioContext,
  startInstallation,
  waitUntil,
} from '@sealpost/testkit'
import { cpuMicroseconds, median } from '../cpu.ts'
import { sendLoad } from '../load.ts'
import { BUILT, type BuiltRung, type Rung, rungs } from './rungs.ts'

interface Target {
  readonly rung: Rung
  readonly pid: number
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
}

const CONNECTIONS = 32
const PATH = '/api/company-data/whoami'

/**
 * What an authenticated call costs above the framework: CPU per request of our process against bare Fastify, all
 * gates, limiter, log line and trace on, in interleaved rounds of one run. Only ratios are judged: the machine is shared.
 */
export const httpScenario: Scenario = {
  name: 'http',
  about: 'CPU per authenticated whoami against bare Fastify, with a ladder of what each layer costs',
  bars: [{ figure: 'ratio', atMost: 4 }],
  async run(context) {
    const size = context.isSmall ? { requests: 3000, rounds: 3 } : { requests: 20_000, rounds: 9 }
    const targets = await startTargets(context)
    context.progress('warming up')
    for (const target of targets) await load(target, 5000)
    const measured = new Map<Rung, number[]>(targets.map(({ rung }) => [rung, []]))
    for (let round = 1; round <= size.rounds; round += 1) {
      for (const target of targets) measured.get(target.rung)?.push(await measure(target, size.requests))
      context.progress(`round ${round} of ${size.rounds}: ${describe(measured)}`)
    }
    return figures(measured, context)
  },
}

async function measure(target: Target, requests: number): Promise<number> {
  const before = cpuMicroseconds(target.pid)
  await load(target, requests)
  return (cpuMicroseconds(target.pid) - before) / requests
}

function load({ url, headers }: Target, requests: number): Promise<void> {
  return sendLoad({ url, headers, requests, connections: CONNECTIONS })
}

async function startTargets(context: ScenarioContext): Promise<readonly Target[]> {
  const traceUrl = await startTraceSink(context)
  // The bucket must not run dry: its size is a setting, the taking stays.
  const settings = { RATE_DATA: '60000000', TRACE_URL: traceUrl }
  const installation = await startInstallation({ settings, onStep: (step) => context.progress(step) })
  context.onEnd(() => installation.stop())
  const region = await regionTarget(installation)
  const environment = { ...installation.environment.eu, RUNG_TRACE_URL: traceUrl }
  const servers = await Promise.all(BUILT.map((rung) => startRung(context, rung, environment, region.headers)))
  return [...servers, region]
}

async function regionTarget({ frontDoor, eu }: Installation): Promise<Target> {
  const { clientId, clientSecret } = northwind
  const form = { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret }
  await new ServiceClient({ frontDoorUrl: frontDoor.url, clientId, clientSecret }).whoami()
  const answer = await fetch(`${frontDoor.url}/oauth2/token`, { method: 'POST', body: new URLSearchParams(form) })
  const token: unknown = await answer.json()
  if (typeof token !== 'object' || token === null || !('access_token' in token)) throw new Error('no token')
  const headers = { authorization: `Bearer ${String(token.access_token)}` }
  return { rung: 'region', pid: eu.pid(), url: `${eu.url}${PATH}`, headers }
}

async function startRung(
  context: ScenarioContext,
  rung: BuiltRung,
  environment: Readonly<Record<string, string>>,
  headers: Readonly<Record<string, string>>,
): Promise<Target> {
  const { port } = await reservePort()
  const program = fileURLToPath(new URL('rung-server.ts', import.meta.url))
  const child = spawn(process.execPath, [program, rung, String(port)], {
    env: environment,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  context.onEnd(() => ended(child))
  const url = `http://127.0.0.1:${port}${PATH}`
  await waitUntil(`the rung ${rung} answers`, 20_000, () => answers(url, headers))
  return { rung, pid: child.pid ?? -1, url, headers }
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

function figures(measured: ReadonlyMap<Rung, readonly number[]>, context: ScenarioContext): Record<string, number> {
  const bare = measured.get('bare') ?? []
  const found: Record<string, number> = {}
  for (const [rung, costs] of measured) {
    const ratio = median(costs.map((cost, round) => cost / (bare[round] ?? Number.NaN)))
    found[rung === 'region' ? 'ratio' : `${rung}_ratio`] = rounded(ratio)
    found[`${rung}_us`] = rounded(median(costs))
    context.progress(
      `${rounded(median(costs)).toFixed(1).padStart(7)} µs  ${ratio.toFixed(2)}×  ${rung}: ${rungs[rung]}`,
    )
  }
  return found
}

function describe(measured: ReadonlyMap<Rung, readonly number[]>): string {
  return [...measured].map(([rung, costs]) => `${rung} ${(costs.at(-1) ?? 0).toFixed(0)}`).join(', ')
}

function rounded(value: number): number {
  return Math.round(value * 100) / 100
}

async function answers(url: string, headers: Readonly<Record<string, string>>): Promise<boolean> {
  try {
    return (await fetch(url, { headers })).ok
  } catch {
    return false
  }
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  await new Promise((resolve) => {
    child.once('exit', resolve)
    child.kill('SIGKILL')
  })
}
