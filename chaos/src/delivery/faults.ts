import { setTimeout as pause } from 'node:timers/promises'
import { type AppProcess, type ScenarioContext, waitUntil } from '@sealpost/testkit'
import type { RoleSite } from '../roles/site.ts'
import type { Fault } from './ledger.ts'

export interface FaultPlan {
  readonly workerKills: number
  readonly apiKills: number
  readonly redisKills: number
  readonly restarts: number
  /** Workers that stand still for longer than any lease and then go on, as if nothing had been. */
  readonly freezes: number
}

/** What was broken, and when; `may double` are those after which somebody may get once more what they had taken. */
export interface FaultBook {
  readonly counts: Record<Victim, number>
  readonly worker: Fault[]
  readonly frozen: Fault[]
  readonly api: Fault[]
  readonly postgres: Fault[]
}

type Victim = 'worker' | 'api' | 'redis' | 'postgres' | 'frozen'

const STALL_MS = 180_000
const DOWN_MS = 1500
const START_ATTEMPTS = 5
/** A webhook belongs to a worker for thirty seconds. */
const FREEZE_MS = 33_000
/** Those who had a transaction open notice a restart a little later than it happens. */
const AFTER_RESTART_MS = 5000

/** One after the other in a random order, spread evenly over what is published; whoever is down comes back meanwhile. */
export async function breakThings(
  context: ScenarioContext,
  site: RoleSite,
  plan: FaultPlan,
  progress: { readonly total: number; done(): number; tell(): string },
): Promise<FaultBook> {
  const book: FaultBook = {
    counts: { worker: 0, api: 0, redis: 0, postgres: 0, frozen: 0 },
    worker: [],
    frozen: [],
    api: [],
    postgres: [],
  }
  const victims = orderOf(plan)
  const coming = new Map<AppProcess | Victim, Promise<void>>()
  for (const [place, victim] of victims.entries()) {
    const due = Math.floor((progress.total * (place + Math.random())) / victims.length)
    await waitUntil(`${due} events are published`, STALL_MS, () => progress.done() >= due)
    await strike(site, victim, book, coming)
    book.counts[victim] += 1
    if (place % 5 === 4 || victim === 'postgres') context.progress(`${describe(book)}; ${progress.tell()}`)
  }
  await Promise.all(coming.values())
  return book
}

export function killsOf({ counts }: FaultBook): number {
  return counts.worker + counts.api + counts.redis
}

async function strike(
  site: RoleSite,
  victim: Victim,
  book: FaultBook,
  coming: Map<AppProcess | Victim, Promise<void>>,
): Promise<void> {
  const fromMs = Date.now()
  if (victim === 'postgres') {
    await site.postgres.restart()
    book.postgres.push({ fromMs, toMs: Date.now() + AFTER_RESTART_MS })
    return
  }
  if (victim === 'redis') {
    await coming.get(victim)
    await site.redis.kill()
    expect(coming, victim, comeBack(site.redis))
    return
  }
  const app = victim === 'api' ? site.api : anyOf(upFirst(site.workers, coming))
  await coming.get(app)
  const killedMs = Date.now()
  if (victim === 'frozen') {
    const thawing = freeze(app).then((toMs) => void book.frozen.push({ fromMs: killedMs, toMs }))
    expect(coming, app, thawing)
    return
  }
  await app.kill()
  book[victim].push({ fromMs: killedMs, toMs: Date.now() })
  expect(coming, app, comeBack(app))
}

async function freeze(worker: AppProcess): Promise<number> {
  process.kill(worker.pid(), 'SIGSTOP')
  await pause(FREEZE_MS)
  process.kill(worker.pid(), 'SIGCONT')
  return Date.now()
}

/** As whatever supervises it would do: one that ends while it starts, because its database is away too, is started again. */
function comeBack(victim: { start(): Promise<void> }): Promise<void> {
  const coming = startAgain(victim)
  // Whoever waits for it is told; until then it must not end the run.
  coming.catch(() => {})
  return coming
}

async function startAgain(victim: { start(): Promise<void> }): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    await pause(Math.random() * DOWN_MS)
    try {
      await victim.start()
      return
    } catch (error) {
      if (attempt === START_ATTEMPTS) throw error
    }
  }
}

/** Kills at random; restarts and freezes are kept apart from each other. */
function orderOf({ workerKills, apiKills, redisKills, restarts, freezes }: FaultPlan): readonly Victim[] {
  const many = (victim: Victim, count: number): readonly Victim[] => Array.from({ length: count }, () => victim)
  const kills = [...many('worker', workerKills), ...many('api', apiKills), ...many('redis', redisKills)]
  const shuffled = kills.map((kill) => ({ kill, at: Math.random() })).toSorted((one, other) => one.at - other.at)
  const order = shuffled.map(({ kill }) => kill)
  for (let number = 1; number <= restarts; number += 1)
    order.splice(Math.floor((order.length * number) / (restarts + 1)), 0, 'postgres')
  for (let number = 0; number < freezes; number += 1)
    order.splice(Math.floor((order.length * number) / freezes), 0, 'frozen')
  return order
}

function describe({ counts }: FaultBook): string {
  const { worker, api, redis, postgres, frozen } = counts
  return `killed workers ${worker}, api ${api}, redis ${redis}, froze workers ${frozen}, restarted PostgreSQL ${postgres} times`
}

/** Forgotten when it is back; one that does not come back stays, for the end to find. */
function expect(coming: Map<AppProcess | Victim, Promise<void>>, who: AppProcess | Victim, back: Promise<void>): void {
  coming.set(who, back)
  void back.then(() => coming.delete(who)).catch(() => {})
}

/** Those that are there; when all are away, any of them is waited for. */
function upFirst(workers: readonly AppProcess[], coming: ReadonlyMap<AppProcess | Victim, unknown>) {
  const up = workers.filter((worker) => !coming.has(worker))
  return up.length > 0 ? up : workers
}

function anyOf<T>(all: readonly T[]): T {
  const one = all[Math.floor(Math.random() * all.length)]
  if (one === undefined) throw new Error('there is nobody to kill')
  return one
}
