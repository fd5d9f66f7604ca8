import { setTimeout as pause } from 'node:timers/promises'
import type { AppProcess, Installation, ScenarioContext } from '@sealpost/testkit'
import { cpuMicroseconds } from './cpu.ts'
import { type BackendMeter, meterBackends } from './engine-cpu.ts'

/** Measures a process and the database backends that serve it. */
export interface CpuMeter {
  readonly pid: () => number
  readonly backends: BackendMeter
  /** Microseconds of CPU that the process uses per millisecond without calls. */
  readonly idlePerMs: number
}

const IDLE_MS = 5000

/** A region has background work, which also runs without calls: its cost is subtracted. */
export async function openRegionMeter(
  context: ScenarioContext,
  app: AppProcess,
  { databaseUrl, applicationName }: { readonly databaseUrl: string; readonly applicationName: string },
): Promise<CpuMeter> {
  const backends = await meterBackends(databaseUrl, applicationName)
  context.onEnd(() => backends.close())
  const ours = { pid: () => app.pid(), backends, idlePerMs: 0 }
  const idlePerMs = await perCall(ours, IDLE_MS, () => pause(IDLE_MS))
  context.progress(`background work of ${app.name}: ${idlePerMs.toFixed(0)} ms of CPU a second`)
  return { ...ours, idlePerMs }
}

/** Microseconds of CPU per call. */
export async function perCall(meter: CpuMeter, calls: number, run: () => Promise<unknown>): Promise<number> {
  const { pid, backends, idlePerMs } = meter
  const used = async (): Promise<number> => cpuMicroseconds(pid()) + (await backends.microseconds())
  const [before, startedAt] = [await used(), performance.now()]
  await run()
  return ((await used()) - before - idlePerMs * (performance.now() - startedAt)) / calls
}

/** Microseconds of CPU per call in all of these together. */
export async function perCallOfAll(
  [meter, ...others]: readonly CpuMeter[],
  calls: number,
  run: () => Promise<unknown>,
): Promise<number> {
  if (meter === undefined) {
    await run()
    return 0
  }
  let inOthers = 0
  const own = await perCall(meter, calls, async () => {
    inOthers = await perCallOfAll(others, calls, run)
  })
  return own + inOthers
}

export type RegionMeters = Readonly<Record<'eu' | 'us', CpuMeter>>

export async function openRegionMeters(context: ScenarioContext, installation: Installation): Promise<RegionMeters> {
  const open = (region: 'eu' | 'us'): Promise<CpuMeter> =>
    openRegionMeter(context, installation[region], {
      databaseUrl: databaseUrlOf(installation, region),
      applicationName: `sealpost-region-${region}`,
    })
  return { eu: await open('eu'), us: await open('us') }
}

export function databaseUrlOf({ environment }: Pick<Installation, 'environment'>, region: 'eu' | 'us'): string {
  return environment[region]['DATABASE_URL'] ?? ''
}
