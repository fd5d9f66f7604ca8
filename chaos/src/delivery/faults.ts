import { setTimeout as pause } from 'node:timers/promises'
import { type AppProcess, type ScenarioContext, waitUntil } from '@sealpost/testkit'
import type { RoleSite } from '../roles/site.ts'
import type { Fault } from './balance.ts'

export interface FaultPlan {
  readonly workerKills: number
  readonly apiKills: number
  readonly redisKills: number
  readonly restarts: number
  /** Workers that are stopped (SIGSTOP) for longer than any lease and then continue. */
  readonly freezes: number
}

/** When each process was killed or stopped: after a kill a reader may get an event twice. */
export interface FaultLog {
  readonly counts: Record<Target, number>
  readonly worker: Fault[]
  readonly frozen: Fault[]
  readonly api: Fault[]
  readonly postgres: Fault[]
}

type Target = 'worker' | 'api' | 'redis' | 'postgres' | 'frozen'

const STALL_MS = 180_000
const DOWN_MS = 1500
const START_ATTEMPTS = 5
/** Longer than the 30 seconds for which a worker leases a webhook. */
const FREEZE_MS = 33_000
/** Processes with an open transaction notice a restart late. */
const AFTER_RESTART_MS = 5000

/** Applies the faults in random order, spread evenly over the published events; killed processes restart meanwhile. */
export async function injectFaults(
  context: ScenarioContext,
  site: RoleSite,
  plan: FaultPlan,
  progress: { readonly total: number; done(): number; describe(): string },
): Promise<FaultLog> {
  const log: FaultLog = {
    counts: { worker: 0, api: 0, redis: 0, postgres: 0, frozen: 0 },
    worker: [],
    frozen: [],
    api: [],
    postgres: [],
  }
  const targets = orderTargets(plan)
  const restarting = new Map<AppProcess | Target, Promise<void>>()
  for (const [index, target] of targets.entries()) {
    const due = Math.floor((progress.total * (index + Math.random())) / targets.length)
    await waitUntil(`${due} events are published`, STALL_MS, () => progress.done() >= due)
    await applyFault(site, target, log, restarting)
    log.counts[target] += 1
    if (index % 5 === 4 || target === 'postgres') context.progress(`${describe(log)}; ${progress.describe()}`)
  }
  await Promise.all(restarting.values())
  return log
}

export function killsOf({ counts }: FaultLog): number {
  return counts.worker + counts.api + counts.redis
}

async function applyFault(
  site: RoleSite,
  target: Target,
  log: FaultLog,
  restarting: Map<AppProcess | Target, Promise<void>>,
): Promise<void> {
  const fromMs = Date.now()
  if (target === 'postgres') {
    await site.postgres.restart()
    log.postgres.push({ fromMs, toMs: Date.now() + AFTER_RESTART_MS })
    return
  }
  if (target === 'redis') {
    await restarting.get(target)
    await site.redis.kill()
    track(restarting, target, restart(site.redis))
    return
  }
  const app = target === 'api' ? site.api : pickRandom(runningFirst(site.workers, restarting))
  await restarting.get(app)
  const killedMs = Date.now()
  if (target === 'frozen') {
    const continuing = freeze(app).then((toMs) => void log.frozen.push({ fromMs: killedMs, toMs }))
    track(restarting, app, continuing)
    return
  }
  await app.kill()
  log[target].push({ fromMs: killedMs, toMs: Date.now() })
  track(restarting, app, restart(app))
}

async function freeze(worker: AppProcess): Promise<number> {
  process.kill(worker.pid(), 'SIGSTOP')
  await pause(FREEZE_MS)
  process.kill(worker.pid(), 'SIGCONT')
  return Date.now()
}

/** Restarts like a supervisor: a process that exits while starting, because its database is down, is started again. */
function restart(target: { start(): Promise<void> }): Promise<void> {
  const restarting = startWithRetries(target)
  // The rejection is handled where the promise is awaited; until then it must not end the run.
  restarting.catch(() => {})
  return restarting
}

async function startWithRetries(target: { start(): Promise<void> }): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    await pause(Math.random() * DOWN_MS)
    try {
      await target.start()
      return
    } catch (error) {
      if (attempt === START_ATTEMPTS) throw error
    }
  }
}

/** Kills in random order; restarts and freezes at even distances. */
function orderTargets({ workerKills, apiKills, redisKills, restarts, freezes }: FaultPlan): readonly Target[] {
  const many = (target: Target, count: number): readonly Target[] => Array.from({ length: count }, () => target)
  const kills = [...many('worker', workerKills), ...many('api', apiKills), ...many('redis', redisKills)]
  const shuffled = kills.map((kill) => ({ kill, at: Math.random() })).toSorted((one, other) => one.at - other.at)
  const order = shuffled.map(({ kill }) => kill)
  for (let number = 1; number <= restarts; number += 1)
    order.splice(Math.floor((order.length * number) / (restarts + 1)), 0, 'postgres')
  for (let number = 0; number < freezes; number += 1)
    order.splice(Math.floor((order.length * number) / freezes), 0, 'frozen')
  return order
}

function describe({ counts }: FaultLog): string {
  const { worker, api, redis, postgres, frozen } = counts
  return `killed: workers ${worker}, api ${api}, redis ${redis}; stopped workers: ${frozen}; PostgreSQL restarts: ${postgres}`
}

/** Removed when the process is up; a process that does not start stays, so that the run fails at its end. */
function track(
  restarting: Map<AppProcess | Target, Promise<void>>,
  who: AppProcess | Target,
  back: Promise<void>,
): void {
  restarting.set(who, back)
  void back.then(() => restarting.delete(who)).catch(() => {})
}

/** The workers that are up, or all of them when none is. */
function runningFirst(workers: readonly AppProcess[], restarting: ReadonlyMap<AppProcess | Target, unknown>) {
  const up = workers.filter((worker) => !restarting.has(worker))
  return up.length > 0 ? up : workers
}

function pickRandom<T>(all: readonly T[]): T {
  const one = all[Math.floor(Math.random() * all.length)]
  if (one === undefined) throw new Error('no process to kill')
  return one
}
