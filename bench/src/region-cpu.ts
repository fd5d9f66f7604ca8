import { setTimeout as pause } from 'node:timers/promises'
import type { AppProcess, ScenarioContext } from '@sealpost/testkit'
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
