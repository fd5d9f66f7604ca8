import { CommitOutcomeUnknownError, type Tx } from '@sealpost/postgres'
import type { Job, StepOutcome } from '../contract.ts'
import { afterFailure, describeFailure } from '../rules.ts'
import { advanceJob, completeJob, failJob, giveBack, releaseJob } from '../store/outcomes.ts'
import type { WorkerContext } from '../worker-context.ts'
import { type HeldJob, toJob } from './held-job.ts'

const SLICE_MS = 500

/** Another worker has the job, or it was cancelled: nothing of this step may be written. */
class LeaseLost extends Error {
  override readonly name = 'LeaseLost'
}

export interface Pace {
  /** Whether no further step may begin. */
  isOver(): boolean
  onStep?(): void
}

/** Takes steps until the job is done, fails, has had its time slice or must stop. Never rejects: it owns its errors. */
export async function runJob(context: WorkerContext, held: HeldJob, pace: Pace): Promise<void> {
  const sliceEndsMs = performance.now() + (held.registered.kind.queue.sliceMs ?? SLICE_MS)
  const mayGoOn = (): boolean => performance.now() < sliceEndsMs && !pace.isOver()
  let job: Job<unknown, unknown> | null = toJob(held.claimed)
  for (let steps = 0; job !== null; steps += 1) {
    if (steps > 0 && (pace.isOver() || (await context.isPaused()))) return returnJob(context, held)
    pace.onStep?.()
    job = await tryStep(context, held, job, mayGoOn)
  }
}

/** Answers the job as it is now if it goes on in these hands, else null. */
async function tryStep(
  context: WorkerContext,
  held: HeldJob,
  job: Job<unknown, unknown>,
  mayGoOn: () => boolean,
): Promise<Job<unknown, unknown> | null> {
  const { registered, ending } = held
  const run = async (): Promise<Job<unknown, unknown> | null> => {
    const prepared = await registered.prepare(job, ending.signal)
    return context.database.transaction(async (tx) => {
      const outcome = await registered.step(tx, job, prepared)
      return record(tx, context, { held, job, outcome, goesOn: mayGoOn() })
    })
  }
  const { name } = registered.kind
  try {
    const next = await context.telemetry.trace('job', { job: name }, run)
    context.outcomes.add(1, { job: name, outcome: 'step' })
    return next
  } catch (error) {
    await handleFailure(context, held, job, error)
    return null
  }
}

interface Taken {
  readonly held: HeldJob
  readonly job: Job<unknown, unknown>
  readonly outcome: StepOutcome<unknown>
  readonly goesOn: boolean
}

async function record(
  tx: Tx,
  { clock }: WorkerContext,
  { held, job, outcome, goesOn }: Taken,
): Promise<Job<unknown, unknown> | null> {
  const { claimed, leaseMs } = held
  const now = clock.now()
  switch (outcome.next) {
    case 'done':
      requireHeld(await completeJob(tx, claimed, now))
      return null
    case 'later':
      requireHeld(await releaseJob(tx, claimed, job, { dueAt: outcome.at, now }))
      return null
    case 'more': {
      const { cursor, done = job.done, total = job.total } = outcome
      const progress = { cursor, done, total }
      if (!goesOn) {
        requireHeld(await releaseJob(tx, claimed, progress, { dueAt: now, now }))
        return null
      }
      requireHeld(await advanceJob(tx, claimed, progress, leaseMs))
      return { ...job, ...progress, attempts: 1 }
    }
  }
}

function requireHeld(isHeld: boolean): void {
  if (!isHeld) throw new LeaseLost('the job is no longer held by this worker')
}

async function handleFailure(
  context: WorkerContext,
  held: HeldJob,
  job: Job<unknown, unknown>,
  error: unknown,
): Promise<void> {
  const { log } = context.telemetry
  const { claimed, registered, ending } = held
  const fields = { jobId: claimed.id, kind: registered.kind.name, tenantId: job.tenantId, attempts: job.attempts }
  // Its lease lapses if it is still held; what was written is in the row.
  if (error instanceof LeaseLost || error instanceof CommitOutcomeUnknownError)
    return log.warn({ ...fields, err: error }, 'a step of a job may not count; the job is tried again')
  if (ending.signal.aborted) return returnJob(context, held)
  const now = context.clock.now()
  const after = afterFailure(registered.kind, job.attempts, error, now)
  context.outcomes.add(1, { job: registered.kind.name, outcome: after === 'dead' ? after : 'failed' })
  if (after === 'dead') log.error({ ...fields, err: error }, 'a job is dead; doctor.ts of the region shows it')
  else log.warn({ ...fields, err: error, waitMs: after.dueAt - now }, 'a job failed; it is tried again')
  await write(context, (tx) => failJob(tx, claimed, after, { error: describeFailure(error), now }))
}

function returnJob(context: WorkerContext, { claimed }: HeldJob): Promise<void> {
  return write(context, (tx) => giveBack(tx, claimed))
}

/** Without the database its lease lapses. */
async function write(context: WorkerContext, work: (tx: Tx) => Promise<void>): Promise<void> {
  try {
    await context.database.transaction(work)
  } catch (error) {
    context.telemetry.log.warn({ err: error }, 'a job could not be given back; its lease has to lapse')
  }
}
