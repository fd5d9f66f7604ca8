import type { RequestId } from '@sealpost/kernel'
import type { Operation, RateClass } from '@sealpost/protocol'

/** A request as the gates see it, before its body is read. */
export interface Call {
  readonly operation: Operation
  /** The canonical path that patterns are matched against. */
  readonly path: string
  readonly ip: string
  readonly bearer: string | null
  /** The unparsed header, for the one route that accepts more than a bearer token. */
  readonly authorization: string | null
  readonly requestId: RequestId
  /** The `Origin` header. */
  readonly origin: string | null
  readonly accept: string | null
  /** The `User-Agent` header. */
  readonly userAgent: string | null
  /** The unparsed header, for operations that detect their own repetition even when the answer store has no record. */
  readonly idempotencyKey: string | null
  /** The unparsed header, of a reader who continues a stream. */
  readonly lastEventId: string | null
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
  /** Until one more request is admitted; whole seconds. */
  readonly retryAfterSeconds: number
  readonly allowed: boolean
}

type MaybePromise<T> = T | Promise<T>

/**
 * [Note: order of gates] The checks in front of every route, run in the order of the members here; after them come
 * ownership (404), the body (400) and state (409). A forbidden call therefore never learns whether an id exists. Each
 * gate throws an `ApiError`. A gate that needs no I/O returns synchronously and costs no turn of the event loop.
 */
export interface Gates<Caller> {
  checkPlatform(call: Call): MaybePromise<void>
  authenticate(call: Call): MaybePromise<Caller>
  checkHome(call: Call, caller: Caller): MaybePromise<void>
  checkAccess(call: Call, caller: Caller): MaybePromise<void>
  /** Names the caller in [Note: calls in flight]; `caller` is null on public routes, where it is the address. */
  ownerOf(call: Call, caller: Caller | null): string
  /** `caller` is null on public routes. An empty result means that the route is not limited. */
  takeFromLimits(call: Call, caller: Caller | null): MaybePromise<readonly LimitState[]>
  checkWrites(call: Call): MaybePromise<void>
  checkLevel(call: Call, caller: Caller): MaybePromise<void>
  /** Identifies the caller in logs and idempotency records; never a secret. */
  nameOf(caller: Caller): string
}
