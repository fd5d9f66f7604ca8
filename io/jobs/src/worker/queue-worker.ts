import { type Loop, startLoop } from '@sealpost/process'
import type { JobQueue } from '../contract.ts'
import type { WorkerContext } from '../worker-context.ts'
import { claimFairly, firstTurn } from './claim-fairly.ts'
import type { HeldJob } from './held-job.ts'
import { runJob } from './run-job.ts'

export interface QueueWorker {
  readonly queue: JobQueue
  wake(): void
  /** Claims no more, tells the running jobs to end, and resolves when they have. */
  close(): Promise<void>
}

/** Wake-ups tell of new jobs and of delayed ones that are due; this finds those whose wake-up was lost. */
const POLL_MS = 5000

/** `held` is what this process runs, of all queues: its leases are renewed together. */
export function startQueueWorker(context: WorkerContext, queue: JobQueue, held: Map<string, HeldJob>): QueueWorker {
  const running = new Map<HeldJob, Promise<void>>()
  const turn = firstTurn()
  let isClosing = false

  function run(job: HeldJob): void {
    held.set(job.claimed.id, job)
    const ended = runJob(context, job, { isOver: () => isClosing }).finally(() => {
      running.delete(job)
      if (held.get(job.claimed.id) === job) held.delete(job.claimed.id)
      loop.wake()
    })
    running.set(job, ended)
  }
  async function claim(): Promise<void> {
    const room = queue.concurrency - running.size
    if (room <= 0 || (await context.isPaused())) return
    for (const job of await claimFairly(context, queue, turn, running.keys(), room)) run(job)
  }
  const loop: Loop = startLoop({
    name: `claiming jobs of ${queue.name}`,
    log: context.telemetry.log,
    everyMs: POLL_MS,
    scheduler: context.scheduler,
    work: claim,
  })
  return {
    queue,
    wake: () => loop.wake(),
    async close() {
      isClosing = true
      await loop.close()
      for (const job of running.keys()) job.ending.abort()
      await Promise.all(running.values())
    },
  }
}
