import type { JobQueue } from '../contract.ts'
import { kindsOf } from '../registered.ts'
import { claimJobs } from '../store/claims.ts'
import { FIRST_TENANT } from '../tenant.ts'
import type { WorkerContext } from '../worker-context.ts'
import { type HeldJob, holdJob, leaseOf } from './held-job.ts'

/** Whose turn it is in one queue; every process has its own. */
export interface Turn {
  afterTenant: string
}

export function firstTurn(): Turn {
  return { afterTenant: FIRST_TENANT }
}

/** One job of each tenant whose turn it is; then, if there is room, more of each. See [Note: tenants take turns]. */
export async function claimFairly(
  context: WorkerContext,
  queue: JobQueue,
  turn: Turn,
  running: Iterable<HeldJob>,
  room: number,
): Promise<readonly HeldJob[]> {
  const claimed: HeldJob[] = []
  for (let isFirst = true; claimed.length < room; isFirst = false) {
    const left = room - claimed.length
    const askedMs = performance.now()
    const page = await context.database.write((tx) =>
      claimJobs(tx, {
        queue: queue.name,
        kinds: kindsOf(context.registered, queue),
        room: left,
        share: isFirst || queue.perTenant !== undefined ? 1 : left,
        afterTenant: turn.afterTenant,
        exceptTenants: tenantsAtLimit(queue, [...running, ...claimed]),
        leaseMs: leaseOf(queue),
        worker: context.worker,
      }),
    )
    for (const job of page) {
      const registered = context.registered.get(job.kind)
      if (registered !== undefined) claimed.push(holdJob(job, registered, askedMs))
      turn.afterTenant = job.tenantId
    }
    if (page.length === 0) break
  }
  return claimed
}

function tenantsAtLimit({ perTenant }: JobQueue, jobs: readonly HeldJob[]): readonly string[] {
  if (perTenant === undefined) return []
  const byTenant = Map.groupBy(jobs, ({ claimed }) => claimed.tenantId)
  return [...byTenant].flatMap(([tenantId, its]) => (its.length >= perTenant ? [tenantId] : []))
}
