import { queuesOf } from './registered.ts'
import type { WorkerContext } from './worker-context.ts'
import { claimFairly, firstTurn } from './worker/claim-fairly.ts'
import { recoverLapsed } from './worker/leases.ts'
import { promoteDue } from './worker/promote.ts'
import { runJob } from './worker/run-job.ts'

/** Runs what is due in all queues until nothing is, or so many steps were taken. Leases are not renewed meanwhile. */
export async function runDueJobs(context: WorkerContext, mostSteps: number): Promise<void> {
  const queues = queuesOf(context.registered).map((queue) => ({ queue, turn: firstTurn() }))
  let stepsLeft = mostSteps
  const isOver = (): boolean => stepsLeft <= 0
  const onStep = (): void => {
    stepsLeft -= 1
  }
  await recoverLapsed(context)
  for (let isMore = true; isMore && !isOver() && !(await context.isPaused());) {
    isMore = (await promoteDue(context)).length > 0
    for (const { queue, turn } of queues) {
      const room = Math.min(queue.concurrency, stepsLeft)
      const claimed = await claimFairly(context, queue, turn, [], room)
      await Promise.all(claimed.map((job) => runJob(context, job, { isOver, onStep })))
      isMore ||= claimed.length > 0
    }
  }
}
