import type { Secret } from '@sealpost/kernel'
import type { Wire } from './caller.ts'
import { NetworkError, SealpostError, UnexpectedAnswerError } from './errors.ts'

export interface Outgoing {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
  /** What the request carries and no error may repeat, even if the answer does. */
  readonly secrets: readonly Secret<string>[]
  readonly signal: AbortSignal | undefined
}

/** `body` is the JSON of the answer, undefined if it was empty. */
export interface Success {
  readonly status: number
  readonly body: unknown
  readonly requestId: string
}

interface Answer {
  readonly outgoing: Outgoing
  readonly response: Response
  readonly text: string
  readonly requestId: string
  readonly retryAfterSeconds: number | undefined
}

/** One HTTP request; whatever is not a success is thrown as one of the three errors. */
export async function exchange(wire: Wire, outgoing: Outgoing): Promise<Success> {
  const requestId = crypto.randomUUID()
  const startedMs = wire.now()
  const answer = await send(wire, outgoing, requestId)
  wire.log({
    kind: 'answered',
    method: outgoing.method,
    address: withoutQuery(outgoing.url),
    status: answer.response.status,
    requestId: answer.requestId,
    durationMs: wire.now() - startedMs,
  })
  return answer.response.ok ? successOf(answer) : refuse(answer)
}

async function send(wire: Wire, outgoing: Outgoing, requestId: string): Promise<Answer> {
  outgoing.signal?.throwIfAborted()
  const timeout = AbortSignal.timeout(wire.requestTimeoutMs)
  const signal = outgoing.signal === undefined ? timeout : AbortSignal.any([timeout, outgoing.signal])
  try {
    const response = await wire.fetch(outgoing.url, {
      method: outgoing.method,
      headers: headersOf(wire, outgoing, requestId),
      ...(outgoing.body === undefined ? {} : { body: outgoing.body }),
      // A redirect could carry the token to another origin.
      redirect: 'manual',
      credentials: 'omit',
      cache: 'no-store',
      signal,
    })
    const text = await response.text()
    return {
      outgoing,
      response,
      text,
      requestId: namedBy(response) ?? requestId,
      retryAfterSeconds: retryAfter(response, wire),
    }
  } catch (error) {
    outgoing.signal?.throwIfAborted()
    wire.log({ kind: 'unanswered', method: outgoing.method, address: withoutQuery(outgoing.url), requestId })
    throw new NetworkError(unansweredMessage(wire, outgoing, timeout.aborted, error), requestId, error)
  }
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

/** Node's `fetch` says "fetch failed" and keeps the reason in `cause`. */
function deepestMessage(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown reason'
  if (error.cause instanceof Error) return deepestMessage(error.cause)
  return 'code' in error && typeof error.code === 'string' ? error.code : error.message
}

function successOf(answer: Answer): Success {
  const body = answer.text === '' ? undefined : parseJson(answer)
  return { status: answer.response.status, body, requestId: answer.requestId }
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
  throw new SealpostError(firstText(description, error, `HTTP ${response.status}`), {
    key,
    status: response.status,
    details,
    requestId: answer.requestId,
    retryAfterSeconds: answer.retryAfterSeconds,
  })
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

/** A server that sends its request back must not get the secrets in it into somebody's error log. */
function parseWithoutSecrets(text: string, secrets: readonly Secret<string>[]): unknown {
  const forms = secrets.flatMap((secret) => [secret.reveal(), formEncoded(secret.reveal())])
  return JSON.parse(text, (_, value: unknown) => {
    if (typeof value !== 'string') return value
    return forms.reduce((shown, form) => shown.replaceAll(form, '[secret]'), value)
  })
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
