import { type ChildProcess, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import {
  hundredths,
  type Installation,
  median,
  medianRatio,
  northwind,
  reservePort,
  type Scenario,
  type ScenarioContext,
  startInstallation,
  UNLIMITED_RATES,
  waitUntil,
} from '@sealpost/testkit'
import { alternate } from '../alternate.ts'
import { cpuMicroseconds } from '../cpu.ts'
import { requestDataToken } from '../data-token.ts'
import { sendLoad } from '../load.ts'
import { startTraceSink } from '../trace-sink.ts'
import { SERVER_LAYERS, type ServerLayer, type Layer, layers } from './layers.ts'

interface Target {
  readonly layer: Layer
  readonly pid: number
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
}

interface Size {
  readonly warmUp: number
  readonly requests: number
  readonly samples: number
}

const CONNECTIONS = 32
const PATH = '/api/company-data/whoami'

/**
 * The cost of an authenticated call above the framework: CPU per request of our process against bare Fastify, with all gates,
 * limiter, log line and trace. The bar is a ratio, because the machine is shared.
 */
export const httpScenario: Scenario<Size> = {
  name: 'http',
  about: 'CPU per authenticated whoami against bare Fastify, and what each layer adds',
  sizes: {
    small: { warmUp: 3000, requests: 2000, samples: 3 },
    full: { warmUp: 5000, requests: 20_000, samples: 9 },
  },
  bars: [{ figure: 'ratio', atMost: 4 }],
  async run(context, { warmUp, requests, samples }) {
    const targets = await startTargets(context)
    context.progress('warming up')
    for (const target of targets) await load(target, warmUp)
    const measures = Object.fromEntries(targets.map((target) => [target.layer, () => measure(target, requests)]))
    const costs = await alternate(measures, {
      samples,
      onSample(number, values) {
        const printed = Object.entries(values).map(([layer, cost]) => `${layer} ${cost.toFixed(0)}`)
        context.progress(`sample ${number} of ${samples}: ${printed.join(', ')}`)
      },
    })
    return figures(new Map(targets.map(({ layer }) => [layer, costs[layer] ?? []])), context)
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
  const settings = { ...UNLIMITED_RATES, TRACE_URL: traceUrl }
  const installation = await startInstallation({ settings, onStep: (step) => context.progress(step) })
  context.onEnd(() => installation.stop())
  const region = await regionTarget(installation)
  const environment = { ...installation.environment.eu, LAYER_TRACE_URL: traceUrl }
  const servers: Target[] = []
  // One at a time: each of them loads the whole region.
  for (const layer of SERVER_LAYERS) servers.push(await startLayer(context, layer, environment, region.headers))
  return [...servers, region]
}

async function regionTarget(installation: Installation): Promise<Target> {
  const { token } = await requestDataToken(installation, northwind)
  const { eu } = installation
  return { layer: 'region', pid: eu.pid(), url: `${eu.url}${PATH}`, headers: { authorization: `Bearer ${token}` } }
}

async function startLayer(
  context: ScenarioContext,
  layer: ServerLayer,
  environment: Readonly<Record<string, string>>,
  headers: Readonly<Record<string, string>>,
): Promise<Target> {
  const { port } = await reservePort()
  const program = fileURLToPath(new URL('layer-server.ts', import.meta.url))
  const child = spawn(process.execPath, [program, layer, String(port)], {
    env: environment,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  context.onEnd(() => kill(child))
  const url = `http://127.0.0.1:${port}${PATH}`
  await waitUntil(`layer ${layer} answers`, 20_000, () => answers(url, headers))
  return { layer, pid: child.pid ?? -1, url, headers }
}

function figures(measured: ReadonlyMap<Layer, readonly number[]>, context: ScenarioContext): Record<string, number> {
  const bare = measured.get('bare') ?? []
  const found: Record<string, number> = {}
  for (const [layer, costs] of measured) {
    const ratio = medianRatio(costs, bare)
    found[layer === 'region' ? 'ratio' : `${layer}_ratio`] = ratio
    found[`${layer}_us`] = hundredths(median(costs))
    context.progress(
      `${hundredths(median(costs)).toFixed(1).padStart(7)} µs  ${ratio.toFixed(2)}×  ${layer}: ${layers[layer]}`,
    )
  }
  return found
}

async function answers(url: string, headers: Readonly<Record<string, string>>): Promise<boolean> {
  try {
    return (await fetch(url, { headers })).ok
  } catch {
    return false
  }
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  await new Promise((resolve) => {
    child.once('exit', resolve)
    child.kill('SIGKILL')
  })
}
