import { createHash } from 'node:crypto'
import type { Tx } from '@sealpost/postgres'
import { type ApiError, refuse } from '@sealpost/protocol'
import { answerText, unpackAnswer } from '../answer-text.ts'
import type { Served } from '../exchange.ts'
import { helpLink } from '../help-link.ts'
import { invalid } from '../validation.ts'
import { warningHeaders } from '../warnings.ts'
import { type Claim, type IdempotencyStore, type Lease, LEASE_SECONDS, type StoredAnswer } from './port.ts'

const NO_BODY_SHA256 = createHash('sha256').digest('hex')
const KEY = /^[\x21-\x7e]{1,255}$/
/** Doubled after each attempt. */
const FIRST_RELEASE_MS = 250
const LONGEST_PAUSE_MS = 2000
/** The headers of a handler that are stored with its answer; all others are made anew for every response. */
const KEPT_HEADERS = new Set(['etag', 'location'])

/** The step in front of the handler: admits the first use of a key and answers every later one. */
export function claimKey(store: IdempotencyStore): (exchange: Served) => void | Promise<void> {
  return (exchange) => {
    const key = exchange.request.headers['idempotency-key']
    if (key === undefined) return
    if (typeof key !== 'string' || !KEY.test(key)) {
      throw invalid('headers', [{ path: '/Idempotency-Key', message: 'must be 1 to 255 visible ASCII characters' }])
    }
    return begin(store, exchange, claimOf(exchange, key))
  }
}

async function begin(store: IdempotencyStore, exchange: Served, claim: Claim): Promise<void> {
  const begun = await store.begin(claim)
  switch (begun.kind) {
    case 'started':
      exchange.lease = begun.lease
      return
    case 'answered':
      exchange.replay = begun.answer
      return
    case 'running':
      throw refuse('idempotency.in_progress')
    case 'conflict':
      throw refuse('idempotency.conflict')
  }
}

function claimOf({ call, callerName, bodySha256 }: Served, key: string): Claim {
  return {
    // The caller is unknown on a public route; callers at different addresses at least do not share keys.
    caller: callerName ?? `public:${call.ip}`,
    method: call.operation.method,
    path: call.path,
    key,
    bodyHash: bodySha256 ?? NO_BODY_SHA256,
  }
}

/** For handlers: stores the answer in the transaction that does the work. See [Note: idempotency]. */
export async function storeAnswerIn(store: IdempotencyStore, exchange: Served, tx: Tx, answer: unknown): Promise<void> {
  if (exchange.lease === null) return
  const stored = storedAnswer(exchange, answer)
  await store.completeIn(tx, exchange.lease, stored)
  exchange.storedAnswer = stored
}

/**
 * Runs after a handler that did not store the answer itself. The work is done: a failing store must not turn it into an
 * error.
 */
export async function storeAnswerAfterwards(exchange: Served): Promise<void> {
  if (exchange.lease === null) return
  if (exchange.storedAnswer !== null) {
    requireSameAnswer(exchange, exchange.storedAnswer)
    return
  }
  try {
    await exchange.options.idempotency?.complete(exchange.lease, storedAnswer(exchange, exchange.answer))
  } catch (error) {
    const { log } = exchange.options.telemetry
    log.error(
      { err: error, operation: exchange.route.operation.id },
      'an answer could not be stored for its Idempotency-Key',
    )
  }
}

/** A replay must answer what the first call answers; checked where the contract is. */
function requireSameAnswer(exchange: Served, stored: StoredAnswer): void {
  const { contract, operation } = exchange.route
  if (contract === null || storedAnswer(exchange, exchange.answer).body === stored.body) return
  throw new Error(`${operation.id} stored another answer for its Idempotency-Key than it gives`)
}

/** Runs after a refusal: a decision is stored and replayed, a failure releases the key. */
export async function recordRefusal(exchange: Served, refusal: ApiError): Promise<void> {
  const { lease } = exchange
  const store = exchange.options.idempotency
  if (lease === null || store === undefined) return
  const isFailure = refusal.status === 429 || refusal.status >= 500
  const body = JSON.stringify(refusal.body())
  const headers = { link: helpLink(exchange.options.errorsUrl, refusal.key) }
  const recorded = isFailure ? store.release(lease) : store.complete(lease, { status: refusal.status, headers, body })
  await recorded.catch((error: unknown) => {
    const { log } = exchange.options.telemetry
    log.error(
      { err: error, operation: exchange.route.operation.id },
      'an Idempotency-Key could not be released; trying again until its lease expires',
    )
    releaseLater(store, lease, FIRST_RELEASE_MS, LEASE_SECONDS * 1000)
  })
}

/**
 * The engine that failed the call often fails the release, too. Without another attempt every repeat with the key would be
 * refused as running until the lease expires. If the work was stored after all, its answer stays: see `deleteClaim`.
 */
function releaseLater(store: IdempotencyStore, lease: Lease, afterMs: number, leftMs: number): void {
  if (leftMs < afterMs) return
  const again = (): void => releaseLater(store, lease, Math.min(2 * afterMs, LONGEST_PAUSE_MS), leftMs - afterMs)
  setTimeout(() => void store.release(lease).catch(again), afterMs).unref()
}

function storedAnswer(exchange: Served, given: unknown): StoredAnswer {
  const { operation } = exchange.route
  const { body, extras } = unpackAnswer(given)
  const kept = Object.entries(extras.headers ?? {}).filter(([name]) => KEPT_HEADERS.has(name.toLowerCase()))
  return {
    status: operation.success.status,
    headers: {
      ...Object.fromEntries(kept.map(([name, value]) => [name.toLowerCase(), String(value)])),
      ...warningHeaders(exchange, extras.warnings),
    },
    body:
      operation.success.body === undefined
        ? null
        : hideOnceOnly(answerText(exchange, body, extras), operation.onceOnly),
  }
}

function hideOnceOnly(text: string, members: readonly string[] | undefined): string {
  if (members === undefined) return text
  return JSON.stringify(JSON.parse(text), (name, value: unknown) => (members.includes(name) ? null : value))
}
