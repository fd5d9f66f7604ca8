import { type Instant, instant } from '@sealpost/kernel'
import { type Backoff, type JobKind, PermanentJobFailure } from './contract.ts'

const BACKOFF: Backoff = { firstMs: 1000, longestMs: 600_000 }
const MAX_ATTEMPTS = 20
const ERROR_LENGTH = 300

type Patience = Pick<JobKind<never>, 'maxAttempts' | 'backoff'>

export type AfterFailure = 'dead' | { readonly dueAt: Instant }

/** `attempts` counts the one that failed. */
export function afterFailure(patience: Patience, attempts: number, error: unknown, now: Instant): AfterFailure {
  if (error instanceof PermanentJobFailure || isSpent(patience, attempts)) return 'dead'
  return { dueAt: instant(now + backoffMs(patience.backoff ?? BACKOFF, attempts)) }
}

/** A worker died with it. The first time that is nothing of the job's; a job that kills its workers must wait like any other. */
export function afterLapse(patience: Patience, attempts: number, now: Instant): AfterFailure {
  if (isSpent(patience, attempts)) return 'dead'
  const waitMs = attempts <= 1 ? 0 : backoffMs(patience.backoff ?? BACKOFF, attempts - 1)
  return { dueAt: instant(now + waitMs) }
}

function isSpent({ maxAttempts }: Patience, attempts: number): boolean {
  return attempts >= (maxAttempts ?? MAX_ATTEMPTS)
}

function backoffMs({ firstMs, longestMs }: Backoff, attempts: number): number {
  return Math.min(longestMs, firstMs * 2 ** Math.min(attempts - 1, 40))
}

/** Never the error's detail or cause: they may quote the row that was being written. */
export function describeFailure(error: unknown): string {
  return error instanceof Error
    ? `${error.name}: ${error.message}`.slice(0, ERROR_LENGTH)
    : 'something that is not an Error was thrown'
}
