import type { RequestId } from '@sealpost/kernel'
import type { Operation, RateClass } from '@sealpost/protocol'

/** What is known of a request before its body is read. */
export interface Call {
  readonly operation: Operation
  /** The canonical path that patterns are matched against. */
  readonly path: string
  readonly ip: string
  readonly bearer: string | null
  /** The header as it came, for the one route that takes more than a bearer. */
  readonly authorization: string | null
  readonly requestId: RequestId
  /** The page that a browser says the call comes from. */
  readonly origin: string | null
  readonly accept: string | null
  /** What the browser says of itself. */
  readonly userAgent: string | null
  /** As it came; for acts that must recognise their own repetition, whatever the store of answers knows. */
  readonly idempotencyKey: string | null
  cookie(name: string): string | null
}

/** The state of one bucket after a request took from it. */
export interface LimitState {
  readonly policy: RateClass
  readonly quota: number
  readonly windowSeconds: number
  readonly remaining: number
  /** Until the bucket is full again. */
  readonly resetSeconds: number
  /** Until one more request is let through; whole seconds. */
  readonly retryAfterSeconds: number
  readonly allowed: boolean
}

type MaybePromise<T> = T | Promise<T>

/**
 * [Note: order of gates] The checks in front of every route, asked in the order of the members here; after them come
 * ownership (404), the body (400) and state (409). A forbidden call so never learns whether an id exists. Each throws an `ApiError`. A gate that needs no I/O answers synchronously and costs no turn of the event loop.
 */
export interface Gates<Caller> {
  checkPlatform(call: Call): MaybePromise<void>
  authenticate(call: Call): MaybePromise<Caller>
  checkHome(call: Call, caller: Caller): MaybePromise<void>
  checkAccess(call: Call, caller: Caller): MaybePromise<void>
  /** `caller` is null on public routes. An empty answer means that the route is not limited. */
  takeFromLimits(call: Call, caller: Caller | null): MaybePromise<readonly LimitState[]>
  checkWrites(call: Call): MaybePromise<void>
  checkLevel(call: Call, caller: Caller): MaybePromise<void>
  /** Names the caller in logs and idempotency records; never a secret. */
  nameOf(caller: Caller): string
}
