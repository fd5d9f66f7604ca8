import { promoteDelayed } from '../store/claims.ts'
import type { WorkerContext } from '../worker-context.ts'

const AT_ONCE = 1000

/** Answers the queues that have jobs to claim because of it. */
export async function promoteDue({ database, clock }: WorkerContext): Promise<readonly string[]> {
  const queues = new Set<string>()
  for (;;) {
    const found = await database.write((tx) => promoteDelayed(tx, clock.now(), AT_ONCE))
    for (const queue of found) queues.add(queue)
    if (found.length < AT_ONCE) return [...queues]
  }
}
