import type { Secret } from '@sealpost/kernel'
import { type Deadline, openDeadline } from './deadline.ts'
import { NetworkError, SealpostError, UnexpectedAnswerError } from './errors.ts'
import type { Streamed } from './streamed.ts'
import type { Wire } from './wire.ts'

export interface Outgoing {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
  /** Secrets of the request that no error may repeat, even if the answer does. */
  readonly secrets: readonly Secret<string>[]
  readonly signal: AbortSignal | undefined
}

/** `body` is the JSON of the answer, undefined if it was empty. */
export interface Success {
  /** 304 only if the request had `If-None-Match`. */
  readonly status: number
  readonly body: unknown
  readonly etag: string | undefined
  readonly requestId: string
}

interface Answer {
  readonly outgoing: Outgoing
  readonly response: Response
  readonly text: string
  readonly requestId: string
  readonly retryAfterSeconds: number | undefined
}

/** A request in progress, with its id and its deadline. */
interface Sending {
  readonly wire: Wire
  readonly outgoing: Outgoing
  readonly requestId: string
  readonly deadline: Deadline
  readonly startedMs: number
}

/** One HTTP request; a failure is thrown as one of the three errors. */
export async function exchange(wire: Wire, outgoing: Outgoing): Promise<Success> {
  const answer = await send(wire, outgoing, readText)
  const { ok, status } = answer.response
  const isUnchanged = status === 304 && outgoing.headers['if-none-match'] !== undefined
  return ok || isUnchanged ? successOf(answer) : refuse(answer)
}

/** Like `exchange` for a large body: a refusal is read completely and thrown, a success is returned as a stream. */
export async function exchangeStream(wire: Wire, outgoing: Outgoing): Promise<Streamed> {
  const answer = await send(wire, outgoing, async (response, sending) =>
    response.ok ? streamOf(response, sending) : readText(response, sending),
  )
  if (!('text' in answer)) return answer
  return refuse(answer)
}

async function readText(response: Response, { wire, outgoing, requestId, deadline }: Sending): Promise<Answer> {
  const text = await response.text()
  deadline.end()
  const named = namedBy(response) ?? requestId
  return { outgoing, response, text, requestId: named, retryAfterSeconds: retryAfter(response, wire) }
}

function streamOf(response: Response, sending: Sending): Streamed {
  // Node's types do not give the type of the chunks.
  const source: ReadableStream<Uint8Array> | null = response.body
  const reader = source?.getReader()
  const { deadline } = sending
  // It runs only while a read is pending: a slow consumer is not a slow server.
  deadline.end()
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      deadline.extend()
      try {
        const value = (await reader?.read())?.value
        if (value === undefined) controller.close()
        else controller.enqueue(value)
      } catch (error) {
        controller.error(unanswered(sending, error))
      } finally {
        deadline.end()
      }
    },
    cancel: (reason) => reader?.cancel(reason),
  })
  const { status, headers } = response
  return { status, headers, body, requestId: namedBy(response) ?? sending.requestId }
}

async function send<T extends { readonly requestId: string }>(
  wire: Wire,
  outgoing: Outgoing,
  read: (response: Response, sending: Sending) => Promise<T>,
): Promise<T> {
  const requestId = crypto.randomUUID()
  const startedMs = wire.now()
  outgoing.signal?.throwIfAborted()
  const deadline = openDeadline(wire.requestTimeoutMs)
  const signal = outgoing.signal === undefined ? deadline.signal : AbortSignal.any([deadline.signal, outgoing.signal])
  const sending = { wire, outgoing, requestId, deadline, startedMs }
  try {
    const response = await wire.fetch(outgoing.url, {
      method: outgoing.method,
      headers: headersOf(wire, outgoing, requestId),
      ...(outgoing.body === undefined ? {} : { body: outgoing.body }),
      // A redirect could send the token to another origin.
      redirect: 'manual',
      credentials: 'omit',
      cache: 'no-store',
      signal,
    })
    const answer = await read(response, sending)
    warn(wire, outgoing, response, answer.requestId)
    wire.log({
      kind: 'answered',
      method: outgoing.method,
      address: withoutQuery(outgoing.url),
      status: response.status,
      requestId: answer.requestId,
      durationMs: wire.now() - startedMs,
    })
    return answer
  } catch (error) {
    deadline.end()
    throw unanswered(sending, error)
  }
}

/** The platform accepted the call, and says what it ignored. */
function warn(wire: Wire, { method, url }: Outgoing, { headers }: Response, requestId: string): void {
  const message = headers.get('x-platform-warning')
  if (message !== null) wire.warn({ message, method, address: withoutQuery(url), requestId })
}

/** The reason of the caller's signal, or a `NetworkError`. */
function unanswered({ wire, outgoing, requestId, deadline, startedMs }: Sending, error: unknown): unknown {
  if (outgoing.signal?.aborted === true) return outgoing.signal.reason
  const durationMs = wire.now() - startedMs
  wire.log({ kind: 'unanswered', method: outgoing.method, address: withoutQuery(outgoing.url), requestId, durationMs })
  return new NetworkError(unansweredMessage(wire, outgoing, deadline.signal.aborted, error), requestId, error)
}

function headersOf(wire: Wire, outgoing: Outgoing, requestId: string): Record<string, string> {
  return {
    accept: 'application/json',
    'x-request-id': requestId,
    ...(wire.userAgent === null ? {} : { 'user-agent': wire.userAgent }),
    ...outgoing.headers,
  }
}

function unansweredMessage(wire: Wire, outgoing: Outgoing, isTimeout: boolean, error: unknown): string {
  const what = `${outgoing.method} ${withoutQuery(outgoing.url)}`
  if (isTimeout) return `${what} was not answered within ${wire.requestTimeoutMs} ms`
  return `${what} was not answered: ${deepestMessage(error)}; check the address and the network`
}

/** Node's `fetch` throws "fetch failed" with the reason in `cause`. */
function deepestMessage(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown reason'
  if (error.cause instanceof Error) return deepestMessage(error.cause)
  return 'code' in error && typeof error.code === 'string' ? error.code : error.message
}

function successOf(answer: Answer): Success {
  const body = answer.text === '' ? undefined : parseJson(answer)
  const { status, headers } = answer.response
  return { status, body, etag: headers.get('etag') ?? undefined, requestId: answer.requestId }
}

function refuse(answer: Answer): never {
  const { response } = answer
  if (response.type === 'opaqueredirect' || (response.status >= 300 && response.status < 400)) {
    throw unexpected(answer, 'with a redirect, which is not followed; use the address it leads to')
  }
  const body = parseJson(answer)
  if (!isRecord(body) || typeof body['error_key'] !== 'string') {
    throw unexpected(answer, 'without an error_key; is this address a Sealpost API?')
  }
  const { error, error_description: description, error_key: key, ...details } = body
  const sentence = firstText(description, error, `HTTP ${response.status}`)
  throw new SealpostError(`${sentence}${placesOf(details['details'])}`, {
    key,
    status: response.status,
    details,
    requestId: answer.requestId,
    retryAfterSeconds: answer.retryAfterSeconds,
    helpUrl: helpOf(answer),
  })
}

/** The address in `Link: <…>; rel="help"`. */
function helpOf({ outgoing, response }: Answer): string | undefined {
  const link = response.headers.get('link') ?? ''
  if (formsOf(outgoing.secrets).some((form) => link.includes(form))) return undefined
  return /<(https?:\/\/[^>\s]+)>;\s*rel="?help\b/.exec(link)?.[1]
}

/** The faulty members of a request, for the message: a reader of the log needs them first. */
function placesOf(details: unknown): string {
  if (!Array.isArray(details)) return ''
  const places = details.filter(isRecord).map(({ path, message }) => `${String(path)} ${String(message)}`)
  return places.length === 0 ? '' : `: ${places.slice(0, 3).join('; ')}`
}

function parseJson(answer: Answer): unknown {
  const type = answer.response.headers.get('content-type') ?? 'no content type'
  if (!/^application\/([\w.-]+\+)?json\b/i.test(type)) {
    throw unexpected(answer, `with ${type.slice(0, 80)} instead of JSON; a proxy or a wrong address may have answered`)
  }
  try {
    return answer.response.ok ? JSON.parse(answer.text) : parseWithoutSecrets(answer.text, answer.outgoing.secrets)
  } catch {
    throw unexpected(answer, 'with JSON that cannot be read; the answer may have been cut off')
  }
}

function unexpected(answer: Answer, how: string): UnexpectedAnswerError {
  const { outgoing, response, requestId, retryAfterSeconds } = answer
  const what = `${outgoing.method} ${withoutQuery(outgoing.url)}`
  const { status } = response
  return new UnexpectedAnswerError(`${what} was answered ${status} ${how}`, { status, requestId, retryAfterSeconds })
}

/** A server may send the request back: its secrets must not reach an error log. */
function parseWithoutSecrets(text: string, secrets: readonly Secret<string>[]): unknown {
  const forms = formsOf(secrets)
  return JSON.parse(text, (_, value: unknown) => {
    if (typeof value !== 'string') return value
    return forms.reduce((masked, form) => masked.replaceAll(form, '[secret]'), value)
  })
}

function formsOf(secrets: readonly Secret<string>[]): readonly string[] {
  return secrets.flatMap((secret) => [secret.reveal(), formEncoded(secret.reveal())])
}

function formEncoded(text: string): string {
  return new URLSearchParams([['', text]]).toString().slice(1)
}

function namedBy(response: Response): string | null {
  const named = response.headers.get('x-request-id')
  return named !== null && /^[\w-]{1,64}$/.test(named) ? named : null
}

/** Whole seconds or an HTTP date. */
function retryAfter(response: Response, wire: Wire): number | undefined {
  const text = response.headers.get('retry-after')
  if (text === null) return undefined
  if (/^\d{1,9}$/.test(text)) return Number(text)
  const atMs = Date.parse(text)
  return Number.isNaN(atMs) ? undefined : Math.max(0, Math.ceil((atMs - wire.now()) / 1000))
}

function firstText(...candidates: readonly unknown[]): string {
  for (const candidate of candidates) if (typeof candidate === 'string' && candidate !== '') return candidate
  return ''
}

function withoutQuery(url: string): string {
  return url.replace(/\?.*$/s, '')
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
