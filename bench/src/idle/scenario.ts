import { setTimeout as pause } from 'node:timers/promises'
import {
  type AppProcess,
  type Installation,
  type Scenario,
  type ScenarioContext,
  startInstallation,
  withClient,
} from '@sealpost/testkit'
import { cpuMicroseconds } from '../cpu.ts'
import { meterBackends } from '../engine-cpu.ts'

interface Size {
  readonly seconds: number
}

const SETTLED_MS = 5000

/**
 * What an installation costs while nothing happens: the CPU time of each process with its database connections, and the
 * transactions of its database, which do not depend on the machine.
 */
export const idleScenario: Scenario<Size> = {
  name: 'idle',
  about: 'CPU and transactions of a front door and two regions without calls',
  sizes: { small: { seconds: 10 }, full: { seconds: 60 } },
  bars: [{ figure: 'transactions_of_a_region', atMost: 20, small: 26 }],
  async run(context, { seconds }) {
    const installation = await startInstallation({ onStep: (step) => context.progress(step) })
    context.onEnd(() => installation.stop())
    const meters = await openMeters(context, installation)
    await pause(SETTLED_MS)
    const before = await readAll(meters)
    await pause(1000 * seconds)
    const after = await readAll(meters)
    const perSecond = (name: keyof Reading) =>
      after.map((reading, place) => (reading[name] - (before[place]?.[name] ?? 0)) / seconds)
    const cpu = perSecond('cpuMs')
    const transactions = perSecond('transactions')
    for (const [place, { name }] of meters.entries())
      context.progress(
        `${name}: ${cpu[place]?.toFixed(1)} ms of CPU and ${transactions[place]?.toFixed(1)} transactions a second`,
      )
    return {
      cpu_ms_a_second: Math.round(10 * cpu.reduce((sum, one) => sum + one, 0)) / 10,
      transactions_of_a_region: Math.round(10 * Math.max(...transactions)) / 10,
    }
  },
}

interface Meter {
  readonly name: string
  read(): Promise<Reading>
}

interface Reading {
  readonly cpuMs: number
  readonly transactions: number
}

async function openMeters(context: ScenarioContext, installation: Installation): Promise<readonly Meter[]> {
  const { environment, frontDoor, eu, us } = installation
  return [
    await openMeter(context, frontDoor, environment.frontDoor['DIRECTORY_DATABASE_URL'] ?? '', 'sealpost-front-door'),
    await openMeter(context, eu, environment.eu['DATABASE_URL'] ?? '', 'sealpost-region-eu'),
    await openMeter(context, us, environment.us['DATABASE_URL'] ?? '', 'sealpost-region-us'),
  ]
}

async function openMeter(
  context: ScenarioContext,
  app: AppProcess,
  databaseUrl: string,
  applicationName: string,
): Promise<Meter> {
  const backends = await meterBackends(databaseUrl, applicationName)
  context.onEnd(() => backends.close())
  return {
    name: app.name,
    async read() {
      const cpuMs = (cpuMicroseconds(app.pid()) + (await backends.microseconds())) / 1000
      return { cpuMs, transactions: await countTransactions(databaseUrl) }
    },
  }
}

function readAll(meters: readonly Meter[]): Promise<readonly Reading[]> {
  return Promise.all(meters.map((meter) => meter.read()))
}

/** A connection adds its transactions to the count of its database when it is idle, at most a second later. */
function countTransactions(databaseUrl: string): Promise<number> {
  return withClient(databaseUrl, async (client) => {
    const { rows } = await client.query<{ count: string }>(
      'select xact_commit as count from pg_stat_database where datname = current_database()',
    )
    return Number(rows[0]?.count)
  })
}
