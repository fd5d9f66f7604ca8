import { type Listener, listen } from '@sealpost/postgres'
import { startLoop } from '@sealpost/process'
import { startCounting } from './gauges.ts'
import { queuesOf } from './registered.ts'
import { JOBS_CHANNEL } from './store/operate.ts'
import type { Waker } from './wake.ts'
import type { WorkerContext } from './worker-context.ts'
import type { HeldJob } from './worker/held-job.ts'
import { recoverLapsed, startRenewing } from './worker/leases.ts'
import { promoteDue } from './worker/promote.ts'
import { startQueueWorker } from './worker/queue-worker.ts'

/** The workers of one process. */
export interface Station {
  close(): Promise<void>
}

export interface StationOptions {
  /** To listen for NOTIFY on; without it the workers of this process wait for their poll. */
  readonly databaseUrl?: string
  /** As for `listen`. */
  readonly connectTimeoutMs?: number
  /** How often lapsed leases are looked for; 5 s unless told. */
  readonly recoverEveryMs?: number
}

const RECOVER_EVERY_MS = 5000
const PROMOTE_EVERY_MS = 1000

export async function startStation(context: WorkerContext, waker: Waker, options: StationOptions): Promise<Station> {
  const held = new Map<string, HeldJob>()
  const workers = queuesOf(context.registered).map((queue) => startQueueWorker(context, queue, held))
  const wake = (name: string | null): void => {
    for (const worker of workers) if (name === null || worker.queue.name === name) worker.wake()
  }
  waker.listen(wake)
  const renewing = workers.length === 0 ? null : startRenewing(context, held)
  const recovering = startLoop({
    name: 'looking for jobs of dead workers',
    log: context.telemetry.log,
    everyMs: options.recoverEveryMs ?? RECOVER_EVERY_MS,
    scheduler: context.scheduler,
    async work() {
      if (!(await context.isPaused()) && (await recoverLapsed(context)) > 0) wake(null)
    },
  })
  const promoting = startLoop({
    name: 'looking for delayed jobs that are due',
    log: context.telemetry.log,
    everyMs: PROMOTE_EVERY_MS,
    scheduler: context.scheduler,
    async work() {
      if (await context.isPaused()) return
      for (const queue of await promoteDue(context)) wake(queue)
    },
  })
  const counting = startCounting(context)
  const listener =
    options.databaseUrl === undefined ? null : await listenFor(context, options, options.databaseUrl, wake)
  return {
    async close() {
      await listener?.close()
      await recovering.close()
      await promoting.close()
      await counting.close()
      await Promise.all(workers.map((worker) => worker.close()))
      await renewing?.close()
    },
  }
}

function listenFor(
  { telemetry }: WorkerContext,
  { connectTimeoutMs }: StationOptions,
  url: string,
  wake: (queue: string | null) => void,
): Promise<Listener> {
  return listen({
    url,
    ...(connectTimeoutMs === undefined ? {} : { connectTimeoutMs }),
    channels: [JOBS_CHANNEL],
    onNotification: (_channel, queue) => wake(queue),
    onReconnect: () => wake(null),
    onError: (error) => telemetry.log.warn({ err: error }, 'the listener for jobs lost its connection'),
  })
}
