import { type Loop, startLoop } from '@sealpost/process'
import { type QueueState, readQueues } from './store/operate.ts'
import type { WorkerContext } from './worker-context.ts'

const COUNT_EVERY_MS = 30_000

/** Shows the table as metrics; they are as old as the last count. */
export function startCounting({ database, telemetry, scheduler }: WorkerContext): Loop {
  let queues: readonly QueueState[] = []
  const sum = (count: (queue: QueueState) => number) => () => queues.reduce((total, queue) => total + count(queue), 0)
  telemetry.gauge(
    'jobs_pending',
    'Jobs that are not done, without the dead ones',
    sum(({ delayed, waiting, running, blocked }) => delayed + waiting + running + blocked),
  )
  telemetry.gauge(
    'jobs_dead',
    'Jobs that wait for an operator',
    sum(({ dead }) => dead),
  )
  return startLoop({
    name: 'counting jobs',
    log: telemetry.log,
    everyMs: COUNT_EVERY_MS,
    scheduler,
    async work() {
      queues = await database.read(readQueues)
    },
  })
}
