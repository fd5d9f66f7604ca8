import { setTimeout as pause } from 'node:timers/promises'
import type { AppProcess, ScenarioContext } from '@sealpost/testkit'
import { cpuMicroseconds } from './cpu.ts'
import { type BackendMeter, meterBackends } from './engine-cpu.ts'

/** A process and the database backends that serve it. */
export interface Spender {
  readonly pid: () => number
  readonly backends: BackendMeter
  /** Microseconds that it spends in each millisecond without being called. */
  readonly choresPerMs: number
}

const CHORES_MS = 5000

/** A region has chores of its own, which go on whether anybody calls or not: what they cost is taken off. */
export async function openRegionSpender(
  context: ScenarioContext,
  app: AppProcess,
  { databaseUrl, applicationName }: { readonly databaseUrl: string; readonly applicationName: string },
): Promise<Spender> {
  const backends = await meterBackends(databaseUrl, applicationName)
  context.onEnd(() => backends.close())
  const ours = { pid: () => app.pid(), backends, choresPerMs: 0 }
  const choresPerMs = await perCall(ours, CHORES_MS, () => pause(CHORES_MS))
  context.progress(`the chores of ${app.name} take ${choresPerMs.toFixed(0)} ms of a second`)
  return { ...ours, choresPerMs }
}

/** Microseconds of CPU for each of so many calls. */
export async function perCall(spender: Spender, calls: number, run: () => Promise<unknown>): Promise<number> {
  const { pid, backends, choresPerMs } = spender
  const spent = async (): Promise<number> => cpuMicroseconds(pid()) + (await backends.microseconds())
  const [before, startedAt] = [await spent(), performance.now()]
  await run()
  return ((await spent()) - before - choresPerMs * (performance.now() - startedAt)) / calls
}
