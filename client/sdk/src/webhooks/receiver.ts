import type { Bytes } from '@sealpost/crypto'
import { isRecord } from '../exchange.ts'
import { contentKey } from './content-key.ts'
import { type OpenBody, openBodies } from './open-body.ts'
import { rawBodyOf } from './raw-body.ts'
import { bodyLimitOf, readBody, type Unread } from './read-body.ts'
import type { ReceivedRequest, ReceiverAnswer } from './received-request.ts'
import type { Delivery, ReceiverOptions, WebhookEvent } from './receiver-options.ts'
import { type SeenDeliveries, seenInMemory } from './seen.ts'
import { type Checked, type CheckSignatures, checkSignatures, oneHeader } from './signatures.ts'

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
