import type { Bytes } from '@sealpost/crypto'
import type { ServiceChange } from '../changes.ts'
import { isRecord } from '../exchange.ts'
import { contentKey } from './content-key.ts'
import { type OpenBody, openBodies } from './open-body.ts'
import { rawBodyOf } from './raw-body.ts'
import { bodyLimitOf, readBody, type Unread } from './read-body.ts'
import { type SeenDeliveries, seenInMemory } from './seen.ts'
import { type Checked, type CheckSignatures, checkSignatures, oneHeader } from './signatures.ts'

/** What a webhook tells: the events of the feed, and `test`, which somebody sent from the portal. */
export type WebhookEvent = ServiceChange | TestEvent

export interface TestEvent {
  readonly id: string
  readonly event: 'test'
  readonly [member: string]: unknown
}

export interface ReceiverOptions {
  /** The HMAC secret of the webhook; while one is being replaced the new one first, then the previous one. */
  readonly secrets: readonly [newest: string, previous?: string]
  /** What it resolves for is answered 200, what it throws for 500: the platform keeps the event and sends it again. */
  readonly handle: (event: WebhookEvent, delivery: Delivery) => void | Promise<void>
  /** PKCS#8 of the company's account key, for webhooks with `encrypt_payload`. */
  readonly accountKey?: Uint8Array
  /** How far `webhook-timestamp` may lie from now; 300 unless told. */
  readonly toleranceSeconds?: number
  /** Remembers what was handled; in memory unless given. */
  readonly seen?: SeenDeliveries
  /**
   * Takes deliveries that have no `webhook-signature`, on the word of `X-Platform-Signature` alone. That one carries no
   * time: whoever got hold of a delivery can send it again, and only what is remembered in `seen` keeps it out.
   */
  readonly acceptUntimed?: boolean
  /** The word in `X-<word>-Signature`, where an installation has one of its own; `Platform` unless told. */
  readonly headerVendor?: string
  /** Larger bodies are answered 413 by `fetch` and the adapters; 16 MiB unless told. */
  readonly maxBodyBytes?: number
  /** Told what was answered 400 and 500; on the console unless given. */
  readonly onError?: (error: unknown) => void
  /** Milliseconds since 1970. */
  readonly clock?: { now(): number }
}

/** What is known of a delivery beside its event. */
export interface Delivery {
  /** Which webhook sent it. */
  readonly webhookId: string | null
  /** The same whenever this event is sent again; null when nothing vouches for it. */
  readonly eventId: string | null
  /** The same whenever the same content is sent again: a key for your own tables. */
  readonly contentKey: string
}

export interface ReceivedRequest {
  readonly method: string
  /** Names in lower case, as Node and `Headers` have them. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  /** Exactly the bytes that came. */
  readonly body: unknown
}

export interface ReceiverAnswer {
  readonly status: 200 | 400 | 401 | 405 | 415 | 500
  readonly text: string
}

/** Takes deliveries: checks, opens, drops what comes twice, hands on. Adapters bring it the raw bytes. */
export interface Receiver {
  readonly maxBodyBytes: number
  /** Takes what was read, however large it is. */
  receive(request: ReceivedRequest): Promise<ReceiverAnswer>
  /** For servers that speak `Request` and `Response`. */
  fetch(request: Request): Promise<Response>
}

export async function openReceiver(options: ReceiverOptions): Promise<Receiver> {
  const maxBodyBytes = bodyLimitOf(options.maxBodyBytes)
  const check = await checkSignatures(options)
  const open = await openBodies(options.accountKey)
  const { handle, headerVendor = 'Platform', seen = seenInMemory(), onError = printError } = options
  const webhookIdHeader = `x-${headerVendor.toLowerCase()}-webhook-id`
  const parts: Parts = { check, open, handle, seen, onError: quietly(onError), webhookIdHeader, inHand: new Map() }
  const receive = (request: ReceivedRequest): Promise<ReceiverAnswer> => answer(parts, request)
  return {
    maxBodyBytes,
    receive,
    async fetch(request) {
      const found = await bodyOf(request, maxBodyBytes)
      const headers = Object.fromEntries(request.headers)
      const { status, text } =
        'refusal' in found ? found.refusal : await receive({ method: request.method, headers, ...found })
      return new Response(text, { status, headers: { 'content-type': 'text/plain; charset=utf-8' } })
    },
  }
}

async function bodyOf(request: Request, limit: number): Promise<{ readonly body: unknown } | { refusal: Unread }> {
  // One that somebody has read gives nothing: receive explains.
  if (request.bodyUsed || request.body?.locked === true) return { body: undefined }
  if (request.body === null) return { body: new Uint8Array() }
  const reader = request.body.getReader()
  const found = await readBody({ next: () => reader.read() }, request.headers.get('content-length'), limit)
  // Nobody waits for a sender to be told.
  if ('refusal' in found) void reader.cancel().catch(() => {})
  return found
}

function printError(error: unknown): void {
  // oxlint-disable-next-line eslint/no-console -- a failure that nobody is told of is an outage that nobody finds
  console.error(error)
}

/** In a server a failure to report a failure would end the process. */
function quietly(onError: (error: unknown) => void): (error: unknown) => void {
  return (error) => {
    try {
      onError(error)
    } catch {
      // Nobody is left to be told.
    }
  }
}

interface Parts {
  readonly check: CheckSignatures
  readonly open: OpenBody
  readonly handle: ReceiverOptions['handle']
  readonly seen: SeenDeliveries
  readonly onError: (error: unknown) => void
  readonly webhookIdHeader: string
  /** What is being handled right now, by key: a repeat that overtakes it shares its end. */
  readonly inHand: Map<string, Promise<void>>
}

async function answer(parts: Parts, request: ReceivedRequest): Promise<ReceiverAnswer> {
  if (request.method !== 'POST') return { status: 405, text: 'deliveries are POST' }
  try {
    const body = rawBodyOf(request.body)
    const checked = await parts.check(request.headers, body)
    if (!checked.ok) return { status: 401, text: checked.refusal }
    return await take(parts, request, body, checked.value)
  } catch (error) {
    parts.onError(error)
    return { status: 500, text: error instanceof Error && error.name === 'RawBodyError' ? error.message : 'failed' }
  }
}

async function take(parts: Parts, request: ReceivedRequest, body: Bytes, checked: Checked): Promise<ReceiverAnswer> {
  const opened = await parts.open(body)
  if (!opened.ok) {
    parts.onError(new Error(opened.refusal.text))
    return opened.refusal
  }
  const key = await contentKey(opened.value)
  const { eventId } = checked
  const keys = eventId === null ? [key] : [key, `webhook-id:${eventId}`]
  const inHand = keys.map((each) => parts.inHand.get(each)).find((each) => each !== undefined)
  if (inHand !== undefined) {
    await inHand
    return { status: 200, text: 'duplicate' }
  }
  const work = handleOnce(parts, opened.value, keys, {
    webhookId: oneHeader(request.headers, parts.webhookIdHeader),
    eventId,
    contentKey: key,
  })
  // Whoever shares its end waits for it; when nobody does, its failure is still answered below.
  const done = work.then(() => {})
  done.catch(() => {})
  for (const each of keys) parts.inHand.set(each, done)
  try {
    return { status: 200, text: (await work) ? 'ok' : 'duplicate' }
  } finally {
    for (const each of keys) parts.inHand.delete(each)
  }
}

/** Whether the handler was called. */
async function handleOnce(
  { handle, seen }: Parts,
  event: Readonly<Record<string, unknown>>,
  keys: readonly string[],
  delivery: Delivery,
): Promise<boolean> {
  if (await seen.has(keys)) return false
  if (!isEvent(event)) throw new Error('a signed delivery names no event')
  await handle(event, delivery)
  await seen.add(keys)
  return true
}

function isEvent(event: Readonly<Record<string, unknown>>): event is WebhookEvent & Record<string, unknown> {
  return isRecord(event) && typeof event['event'] === 'string'
}
