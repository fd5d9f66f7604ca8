export interface BucketSize {
  readonly quota: number
  readonly windowSeconds: number
}

/** One bucket that a request takes a token from; `policy` names it in the `RateLimit` headers. */
export interface LimitRequest<Policy extends string = string> extends BucketSize {
  readonly policy: Policy
  /** The owner of the bucket: an address, a service, a person. */
  readonly key: string
}

export interface LimitState<Policy extends string = string> extends BucketSize {
  readonly policy: Policy
  /**
   * Whether this bucket had a token. The request is admitted when all its buckets had one; otherwise none gives any.
   */
  readonly allowed: boolean
  readonly remaining: number
  /** Whole seconds until the bucket is full. */
  readonly resetSeconds: number
  /** Whole seconds until there is a token; 0 when `allowed`. */
  readonly retryAfterSeconds: number
}

/**
 * A bucket in one number: one that refills evenly is described by the moment at which it will be full. Time is counted
 * in units of which `refill` pass in a millisecond and a token costs `cost`, both the smallest integers of their ratio:
 * 600 a minute are 1 and 100, 7 a minute 7 and 60,000. All values stay integers, in Lua's doubles as well as here, and
 * both agree to the last token.
 */
export interface Pace {
  readonly refill: number
  readonly cost: number
  readonly capacity: number
}

/** Moments count from here to stay far below 2^53. */
export const EPOCH_MS = Date.UTC(2025, 0, 1)
/** Keeps every moment exact for a hundred years. */
const REFILL_LIMIT = 2_500

/**
 * Throws for a size that cannot be represented exactly: not an integer, or a large quota without common divisors with
 * its window.
 */
export function paceOf({ quota, windowSeconds }: BucketSize): Pace {
  const windowMs = windowSeconds * 1_000
  const divisor = commonDivisor(quota, windowMs)
  const pace = { refill: quota / divisor, cost: windowMs / divisor, capacity: (quota * windowMs) / divisor }
  const isWhole = Number.isInteger(quota) && Number.isInteger(windowSeconds) && quota > 0 && windowSeconds > 0
  if (isWhole && pace.refill <= REFILL_LIMIT) return pace
  throw new Error(`a limit of ${quota} in ${windowSeconds} s cannot be represented: take whole, round numbers`)
}

/** For the start of a process, so that an impossible setting is found then and not by a caller. */
export function checkBucketSize(size: BucketSize): void {
  paceOf(size)
}

/**
 * The tokens missing from the bucket. A moment more than a window away comes from a changed size or a clock that was
 * set back, and is ignored.
 */
export function deficitAt(pace: Pace, fullAt: number, nowMs: number): number {
  const deficit = fullAt - momentAt(pace, nowMs)
  return deficit < 0 || deficit > pace.capacity ? 0 : deficit
}

export function hasToken(pace: Pace, deficit: number): boolean {
  return deficit + pace.cost <= pace.capacity
}

/** The moment at which the bucket is full again after taking a token. */
export function fullAfterTaking(pace: Pace, deficit: number, nowMs: number): number {
  return fullAtDeficit(pace, deficit + pace.cost, nowMs)
}

/** The tokens missing after one was returned. A bucket that has refilled meanwhile stays full. */
export function deficitAfterReturn(pace: Pace, deficit: number): number {
  return Math.max(0, deficit - pace.cost)
}

/** The moment at which a bucket with this deficit is full. */
export function fullAtDeficit(pace: Pace, deficit: number, nowMs: number): number {
  return momentAt(pace, nowMs) + deficit
}

export function msUntilFull(pace: Pace, fullAt: number, nowMs: number): number {
  return Math.ceil((fullAt - momentAt(pace, nowMs)) / pace.refill)
}

function momentAt(pace: Pace, nowMs: number): number {
  return (nowMs - EPOCH_MS) * pace.refill
}

/** The result of a request, from the tokens that were missing in each of its buckets before. */
export function limitStates<Policy extends string>(
  requests: readonly LimitRequest<Policy>[],
  deficits: readonly number[],
): readonly LimitState<Policy>[] {
  const taken = requests.every((request, index) => hasToken(paceOf(request), deficits[index] ?? 0))
  return requests.map((request, index) => limitState(request, paceOf(request), deficits[index] ?? 0, taken))
}

function limitState<Policy extends string>(
  { policy, quota, windowSeconds }: LimitRequest<Policy>,
  pace: Pace,
  before: number,
  taken: boolean,
): LimitState<Policy> {
  const after = taken ? before + pace.cost : before
  const allowed = hasToken(pace, before)
  return {
    policy,
    quota,
    windowSeconds,
    allowed,
    remaining: Math.floor((pace.capacity - after) / pace.cost),
    resetSeconds: wholeSeconds(after, pace),
    retryAfterSeconds: allowed ? 0 : wholeSeconds(before + pace.cost - pace.capacity, pace),
  }
}

function wholeSeconds(units: number, pace: Pace): number {
  return Math.ceil(units / pace.refill / 1_000)
}

function commonDivisor(left: number, right: number): number {
  return right === 0 ? left : commonDivisor(right, left % right)
}
