import type { Tx } from '@sealpost/postgres'
import type { Job, JobHandler, JobKind, JobQueue, StepOutcome } from './contract.ts'

/** A kind with its handler; what was stored under the kind's name is of its types. */
export interface RegisteredKind {
  readonly kind: JobKind<never>
  prepare(job: Job<unknown, unknown>, signal: AbortSignal): Promise<unknown>
  step(tx: Tx, job: Job<unknown, unknown>, prepared: unknown): Promise<StepOutcome<unknown>>
}

export type Registered = Map<string, RegisteredKind>

export function register<Payload extends object, Cursor, Prepared>(
  registered: Registered,
  kind: JobKind<Payload, Cursor>,
  handler: JobHandler<Payload, Cursor, Prepared>,
): void {
  if (registered.has(kind.name)) throw new Error(`two handlers are registered for ${kind.name}`)
  const other = queueNamed(registered, kind.queue.name)
  if (other !== null && other !== kind.queue) throw new Error(`two queues are called ${kind.queue.name}`)
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `enqueue` and the steps of this kind wrote what is read
  const typed = (job: Job<unknown, unknown>): Job<Payload, Cursor> => job as Job<Payload, Cursor>
  registered.set(kind.name, {
    kind,
    prepare: async (job, signal) => handler.prepare?.(typed(job), signal),
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what `prepare` has just answered
    step: (tx, job, prepared) => handler.step(tx, typed(job), prepared as Prepared),
  })
}

export function queuesOf(registered: Registered): readonly JobQueue[] {
  return [...new Set([...registered.values()].map(({ kind }) => kind.queue))]
}

export function kindsOf(registered: Registered, queue: JobQueue): readonly string[] {
  return [...registered.values()].flatMap(({ kind }) => (kind.queue === queue ? [kind.name] : []))
}

function queueNamed(registered: Registered, name: string): JobQueue | null {
  return queuesOf(registered).find((queue) => queue.name === name) ?? null
}
