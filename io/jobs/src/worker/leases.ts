import { type Loop, startLoop } from '@sealpost/process'
import { queuesOf } from '../registered.ts'
import { afterLapse } from '../rules.ts'
import { lockLapsed, renewLeases } from '../store/claims.ts'
import { failJob } from '../store/outcomes.ts'
import type { WorkerContext } from '../worker-context.ts'
import { type HeldJob, leaseOf, trustAgain } from './held-job.ts'

/** Renews the leases of all that this process runs, three times within the shortest. */
export function startRenewing(context: WorkerContext, held: ReadonlyMap<string, HeldJob>): Loop {
  const everyMs = Math.min(...queuesOf(context.registered).map(leaseOf)) / 3
  return startLoop({
    name: 'renewing the leases of jobs',
    log: context.telemetry.log,
    everyMs,
    backoff: { firstMs: everyMs, longestMs: everyMs },
    scheduler: context.scheduler,
    work: () => renewAll(context, held),
  })
}

async function renewAll({ database }: WorkerContext, held: ReadonlyMap<string, HeldJob>): Promise<void> {
  const jobs = [...held.values()]
  if (jobs.length === 0) return
  const askedMs = performance.now()
  try {
    const leases = jobs.map(({ claimed, leaseMs }) => ({ id: claimed.id, lease: claimed.lease, leaseMs }))
    const renewed = await database.write((tx) => renewLeases(tx, leases))
    for (const job of jobs) {
      if (renewed.has(job.claimed.id)) trustAgain(job, askedMs)
      else job.ending.abort()
    }
  } finally {
    for (const job of jobs) if (performance.now() >= job.trustedUntilMs) job.ending.abort()
  }
}

const LAPSED_AT_ONCE = 100

/** Puts jobs whose workers have died back into their queues; answers how many. */
export async function recoverLapsed({ database, clock, registered, telemetry }: WorkerContext): Promise<number> {
  const lapsed = await database.transaction(async (tx) => {
    const now = clock.now()
    const found = await lockLapsed(tx, [...registered.keys()], LAPSED_AT_ONCE)
    for (const { id, kind, attempts } of found) {
      const after = afterLapse(registered.get(kind)?.kind ?? {}, attempts, now)
      await failJob(tx, { id, lease: null }, after, { error: 'its worker died or lost its database', now })
    }
    return found
  })
  for (const { id, kind, attempts } of lapsed) {
    telemetry.log.warn({ jobId: id, kind, attempts }, 'the worker of a job has died; another one takes the job')
  }
  return lapsed.length
}
