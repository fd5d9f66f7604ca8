import type { TObject, TSchema } from 'typebox'
import type { ErrorKey } from './errors/catalog.ts'

/** The kinds of callers of a route. An empty list of callers means that the route is public. */
export type CallerKind = 'service_client' | 'account_client' | 'signin_app' | 'portal' | 'delegate' | 'person'

/** The roles of a delegate: an admin may call every route open to delegates, an operator only routes that say so. */
export type DelegateRole = 'admin' | 'operator'

export type Level = 'free' | 'basic' | 'pro' | 'enterprise'

/** The rate-limit classes; their limits are settings of the app that serves the route. */
export type RateClass =
  | 'token'
  | 'changes'
  | 'connections'
  | 'data'
  | 'twofa'
  | 'twofa_poll'
  | 'login'
  | 'result'
  | 'messages'
  | 'broadcast'

/** The OpenAPI document that describes a route. */
export type ApiDocument = ServedDocument | 'forwarder'

/** The documents of regions and the front door, which serves all of them. */
export type ServedDocument = 'company-data' | 'account' | 'customer' | 'front-door'

export interface Success {
  readonly status: 200 | 201 | 202 | 204 | 303
  readonly about: string
  /** Absent for 204 and for answers that are not JSON. */
  readonly body?: TSchema
  /** The media type of an answer that is not JSON, or is JSON that is sent as it is stored. */
  readonly mediaType?: string
  /** The answer of a route with a `mediaType` where it is JSON. */
  readonly jsonForm?: TSchema
  /** A browser may get a page or a redirect instead. */
  readonly browser?: true
  /** The answer is a stream of server-sent events that lasts; see `StreamAnswer` of io/http. */
  readonly streams?: true
  /** The answer carries an ETag; a caller that sends it back gets 304 without a body. */
  readonly revalidates?: true
}

/**
 * A route as data: `io/http` serves it, the OpenAPI documents are printed from it, clients take their types from it.
 * Query and path members are text on the wire, so their schemas are strings with patterns; bodies are never coerced.
 */
export interface Operation {
  /** Unique, `area.verb_noun`; names the route in traces, metrics and idempotency records. */
  readonly id: string
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** In OpenAPI's notation: `/api/services/{id}`. */
  readonly path: `/${string}`
  readonly document: ApiDocument
  readonly summary: string
  readonly description?: string
  readonly callers: readonly CallerKind[]
  /** The lowest delegate role admitted; `admin` unless stated. */
  readonly delegateRole?: DelegateRole
  readonly rate: RateClass | null
  /**
   * The refusals of a caller who names a share code that does not exist: they are counted by account and by address, so that
   * codes cannot be tried.
   */
  readonly misses?: readonly ErrorKey[]
  /** The account level required to create something here. */
  readonly level?: Level
  readonly params?: TObject
  readonly query?: TObject
  readonly body?: TSchema
  /** Forms only under /oauth2. */
  readonly bodyType?: 'json' | 'form' | 'form_or_json'
  /** An empty body without Content-Type counts as `{}`. */
  readonly allowsEmptyBody?: boolean
  readonly maxBodyBytes?: number
  /** Accepts `Idempotency-Key`. */
  readonly creates?: boolean
  /**
   * Members of the answer, at any depth, that are shown once: a replay of the Idempotency-Key answers null for them.
   */
  readonly onceOnly?: readonly string[]
  /** A GET that changes state: refused while writes are paused, never cached, HEAD and prefetch are 405. */
  readonly drains?: boolean
  /** Served while writes are paused, so that a pause logs no user out. */
  readonly ignoresPause?: boolean
  /** Answers JSON whatever the caller accepts, also its errors: file routes and those whose JSON form is fixed. */
  readonly jsonOnly?: boolean
  readonly success: Success
  /** Refusals of the route itself, beside those of its gates (`gateErrors`). */
  readonly errors: readonly ErrorKey[]
}

export function defineOperation<const Op extends Operation>(operation: Op): Op {
  return operation
}

export function isPublic(operation: Operation): boolean {
  return operation.callers.length === 0
}

export function isWrite(operation: Operation): boolean {
  return operation.method !== 'GET' || operation.drains === true
}

/** Whether a caller may ask for XML: authenticated routes under /api that are not `jsonOnly`. */
export function answersXml(operation: Operation): boolean {
  return !isPublic(operation) && operation.jsonOnly !== true && operation.path.startsWith('/api/')
}

/** The refusals of the gates in front of a route, in the order in which the gates run. */
export function gateErrors(operation: Operation): readonly ErrorKey[] {
  const keys: ErrorKey[] = []
  // The front door keeps answering while a region is rebuilt; a front-door route that does not lists the error itself.
  if (operation.document !== 'front-door' && operation.document !== 'forwarder') keys.push('platform.out_of_order')
  if (!isPublic(operation)) keys.push(...callerErrors(operation))
  if (operation.rate !== null) keys.push(...limitErrors(operation.rate))
  if (operation.bodyType !== 'form') keys.push(...requestErrors(operation))
  // An engine or region that a route or its gates depend on can be unreachable.
  keys.push('region.unreachable', 'platform.busy', 'platform.internal_error')
  return keys
}

function callerErrors(operation: Operation): readonly ErrorKey[] {
  const keys: ErrorKey[] = ['auth.token_missing', 'auth.token_invalid', 'auth.expired', 'region.rebase_required']
  keys.push('auth.client_endpoint_forbidden')
  if (operation.path.startsWith('/api/company-data/')) keys.push('company_data.no_client')
  if (operation.level !== undefined) keys.push(levelError(operation))
  return keys
}

/** The refusal of an account below the level of the route: messages have their own. */
export function levelError({ rate }: Operation): 'account.level_required' | 'messages.messaging_not_entitled' {
  return rate === 'messages' || rate === 'broadcast' ? 'messages.messaging_not_entitled' : 'account.level_required'
}

function limitErrors(rate: RateClass): readonly ErrorKey[] {
  if (rate === 'messages' || rate === 'broadcast') return ['rate.limited', 'messages.rate_limited']
  return rate === 'login' ? ['rate.limited', 'rate.unavailable'] : ['rate.limited']
}

/** Forms are excluded: OAuth endpoints keep working while writes are paused and have error codes of their own. */
function requestErrors(operation: Operation): readonly ErrorKey[] {
  const keys: ErrorKey[] = []
  if (isWrite(operation) && operation.ignoresPause !== true) keys.push('db.writes_paused')
  if (operation.drains === true) keys.push('request.method_not_allowed')
  // A path member that is not a well-formed id answers 404.
  if (operation.params !== undefined) keys.push('request.not_found')
  // `creates`: the Idempotency-Key itself can be malformed.
  const isValidated = operation.query !== undefined || operation.body !== undefined || operation.creates === true
  if (isValidated) keys.push('request.invalid')
  if (operation.body !== undefined) keys.push('request.too_large', 'request.unsupported_media_type')
  if (operation.creates === true) keys.push('idempotency.conflict', 'idempotency.in_progress')
  return keys
}
