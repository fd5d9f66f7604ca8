import { type BucketSize, type LimitRequest, type Pace, paceOf } from './bucket.ts'
import { bucketName } from './local-buckets.ts'
import { PACE_LIMIT, paceArguments, planCharacter } from './take-script.ts'

/** One call of the take script. */
export interface TakeCall {
  readonly keys: readonly string[]
  readonly args: readonly string[]
}

interface Draft {
  readonly keys: string[]
  readonly sizes: BucketSize[]
  readonly paces: Pace[]
  plan: string
}

/** For several requests, in their order: one call, or as many as their different paces need. */
export function callsFor(asked: readonly (readonly LimitRequest[])[]): readonly TakeCall[] {
  const drafts: Draft[] = []
  for (const requests of asked) append(lastDraft(drafts), requests)
  return drafts.map(({ keys, plan, paces }) => ({ keys, args: [plan, ...paceArguments(paces)] }))
}

/** A new one well before the limit: a request stays in one call. */
function lastDraft(drafts: Draft[]): Draft {
  const last = drafts.at(-1)
  if (last !== undefined && last.paces.length < PACE_LIMIT / 2) return last
  const draft: Draft = { keys: [], sizes: [], paces: [], plan: '' }
  drafts.push(draft)
  return draft
}

function append(draft: Draft, requests: readonly LimitRequest[]): void {
  for (const [index, request] of requests.entries()) {
    draft.keys.push(keyOf(request))
    draft.plan += planCharacter(paceIndex(draft, request), index === requests.length - 1)
  }
}

export function keyOf(request: LimitRequest): string {
  return `rate:${bucketName(request)}`
}

function paceIndex({ sizes, paces }: Draft, { quota, windowSeconds }: BucketSize): number {
  const known = sizes.findIndex((size) => size.quota === quota && size.windowSeconds === windowSeconds)
  if (known >= 0) return known
  sizes.push({ quota, windowSeconds })
  return paces.push(paceOf({ quota, windowSeconds })) - 1
}
