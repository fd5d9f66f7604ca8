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

/** Handles deliveries: verifies, decrypts, drops duplicates, calls the handler. Adapters give it the raw bytes. */
export interface Receiver {
  readonly maxBodyBytes: number
  /** Handles a request that was already read; without a size limit. */
  receive(request: ReceivedRequest): Promise<ReceiverAnswer>
  /** For servers that use `Request` and `Response`. */
  fetch(request: Request): Promise<Response>
}

export async function openReceiver(options: ReceiverOptions): Promise<Receiver> {
  const maxBodyBytes = bodyLimitOf(options.maxBodyBytes)
  const check = await checkSignatures(options)
  const open = await openBodies(options.accountKey)
  const { handle, headerVendor = 'Platform', seen = seenInMemory(), onError = printError } = options
  const webhookIdHeader = `x-${headerVendor.toLowerCase()}-webhook-id`
  const parts: Parts = { check, open, handle, seen, onError: quietly(onError), webhookIdHeader, running: new Map() }
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
  // The body was read before: `receive` answers with an explanation.
  if (request.bodyUsed || request.body?.locked === true) return { body: undefined }
  if (request.body === null) return { body: new Uint8Array() }
  const reader = request.body.getReader()
  const found = await readBody({ next: () => reader.read() }, request.headers.get('content-length'), limit)
  // Not awaited: the answer does not depend on it.
  if ('refusal' in found) void reader.cancel().catch(() => {})
  return found
}

function printError(error: unknown): void {
  // oxlint-disable-next-line eslint/no-console -- the default reporter: an unreported failure would stay unnoticed
  console.error(error)
}

/** An error of the reporter must not end the server process. */
function quietly(onError: (error: unknown) => void): (error: unknown) => void {
  return (error) => {
    try {
      onError(error)
    } catch {
      // There is no other place to report it.
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
  /** Deliveries in progress, by key: a concurrent repeat waits for the same outcome. */
  readonly running: Map<string, Promise<void>>
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
  const running = keys.map((each) => parts.running.get(each)).find((each) => each !== undefined)
  if (running !== undefined) {
    await running
    return { status: 200, text: 'duplicate' }
  }
  const work = handleOnce(parts, opened.value, keys, {
    webhookId: oneHeader(request.headers, parts.webhookIdHeader),
    eventId,
    contentKey: key,
  })
  // Concurrent repeats await this promise; without any, its rejection must not be unhandled.
  const done = work.then(() => {})
  done.catch(() => {})
  for (const each of keys) parts.running.set(each, done)
  try {
    return { status: 200, text: (await work) ? 'ok' : 'duplicate' }
  } finally {
    for (const each of keys) parts.running.delete(each)
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
  if (!isEvent(event)) throw new Error('a signed delivery without a member `event`')
  await handle(event, delivery)
  await seen.add(keys)
  return true
}

function isEvent(event: Readonly<Record<string, unknown>>): event is WebhookEvent & Record<string, unknown> {
  return isRecord(event) && typeof event['event'] === 'string'
}
