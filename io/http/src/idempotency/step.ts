import { createHash } from 'node:crypto'
import type { Tx } from '@sealpost/postgres'
import { type ApiError, refuse } from '@sealpost/protocol'
import { answerText, unpackAnswer } from '../answer-text.ts'
import type { Served } from '../exchange.ts'
import { invalid } from '../validation.ts'
import type { Claim, IdempotencyStore, StoredAnswer } from './port.ts'

const KEY = /^[\x21-\x7e]{1,255}$/
/** A handler's own headers that belong to its answer; the rest is made anew for every response. */
const KEPT_HEADERS = new Set(['etag', 'location'])

/** The step in front of the handler: lets the first use of a key through and answers for it ever after. */
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

function claimOf({ call, callerName, bodyBytes }: Served, key: string): Claim {
  return {
    // Nobody is known on a public route; at least strangers at different addresses do not share keys.
    caller: callerName ?? `public:${call.ip}`,
    method: call.operation.method,
    path: call.path,
    key,
    bodyHash: createHash('sha256')
      .update(bodyBytes ?? '')
      .digest('hex'),
  }
}

/** For handlers: stores the answer in the transaction that does the work. See [Note: idempotency]. */
export async function storeAnswerIn(store: IdempotencyStore, exchange: Served, tx: Tx, answer: unknown): Promise<void> {
  if (exchange.lease === null) return
  await store.completeIn(tx, exchange.lease, storedAnswer(exchange, answer))
  exchange.isAnswerStored = true
}

/** After a handler that did not do it itself. The work is done: a store that fails now must not turn it into an error. */
export async function storeAnswerAfterwards(exchange: Served): Promise<void> {
  if (exchange.lease === null || exchange.isAnswerStored) return
  try {
    await exchange.options.idempotency?.complete(exchange.lease, storedAnswer(exchange, exchange.answer))
  } catch (error) {
    const { log } = exchange.options.telemetry
    log.error({ err: error, operation: exchange.route.operation.id }, 'an answer could not be kept for its key')
  }
}

/** After a refusal: a decision is kept and replayed, a failure gives the key back. */
export async function settleRefusal(exchange: Served, refusal: ApiError): Promise<void> {
  const { lease } = exchange
  const store = exchange.options.idempotency
  if (lease === null || store === undefined) return
  const isFailure = refusal.status === 429 || refusal.status >= 500
  const body = JSON.stringify(refusal.body())
  const settled = isFailure
    ? store.release(lease)
    : store.complete(lease, { status: refusal.status, headers: {}, body })
  await settled.catch((error: unknown) => {
    const { log } = exchange.options.telemetry
    log.error({ err: error, operation: exchange.route.operation.id }, 'a key could not be settled; its lease runs out')
  })
}

function storedAnswer(exchange: Served, given: unknown): StoredAnswer {
  const { operation } = exchange.route
  const { body, extras } = unpackAnswer(given)
  const kept = Object.entries(extras.headers ?? {}).filter(([name]) => KEPT_HEADERS.has(name.toLowerCase()))
  return {
    status: operation.success.status,
    headers: Object.fromEntries(kept.map(([name, value]) => [name.toLowerCase(), String(value)])),
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
