import { validateHeaderName, validateHeaderValue } from 'node:http'

export type Method = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

export interface EgressRequest {
  readonly method: Method
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
  /** For resolving the name, and again for connecting (TLS included). */
  readonly connectTimeoutMs: number
  /** From the call to the last byte of the answer, redirects included: a slow body does not extend it. */
  readonly totalTimeoutMs: number
  readonly maxResponseBytes: number
  /** How many redirects to follow, each checked like the first URL; 0, the default, returns a 3xx as the answer. */
  readonly redirects?: number
  /**
   * The receiver accepts it twice (it recognises the request by an id): it is sent once more when a kept socket turns
   * out to be closed. GET and HEAD always may.
   */
  readonly isRepeatable?: boolean
  /**
   * Called when the connection is established, right before the first byte; false cancels the request as `aborted`. A
   * process that was suspended while connecting may resume when the reason to send has passed.
   */
  readonly mayLeave?: () => boolean
  /** One per request: many requests that share a signal make Node search through all their listeners. */
  readonly signal?: AbortSignal
}

export interface EgressResponse {
  readonly status: number
  /** Names in lower case; repeated headers joined by a comma. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
  readonly timings: Timings
}

export interface EgressStatus {
  readonly status: number
  readonly timings: Timings
}

export interface StreamedResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** Throws when the answer breaks off, is too large or takes too long. */
  readonly body: AsyncIterable<Uint8Array>
}

/** Milliseconds since the call, of the last hop. */
export interface Timings {
  readonly resolvedMs: number
  readonly connectedMs: number
  readonly answeredMs: number
  readonly totalMs: number
}

const SET_BY_US = new Set([
  'host',
  'content-length',
  'connection',
  'expect',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

/**
 * Headers that decide where a request goes or ends are ours, not those of the customer who configures a target; and
 * invalid headers are refused before a connection is made.
 */
export function areSendable(headers: Readonly<Record<string, string>>): boolean {
  return Object.entries(headers).every(([name, value]) => isWritable(name, value) && !isSetByUs(name.toLowerCase()))
}

function isSetByUs(name: string): boolean {
  return SET_BY_US.has(name) || name.startsWith('proxy-')
}

function isWritable(name: string, value: string): boolean {
  try {
    validateHeaderName(name)
    validateHeaderValue(name, value)
    return true
  } catch {
    return false
  }
}
