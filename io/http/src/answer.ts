import type { OutgoingHttpHeaders } from 'node:http'
import type { ErrorKey } from '@sealpost/protocol'

export interface AnswerExtras {
  readonly headers?: OutgoingHttpHeaders
  /** Of a call that is accepted, each `key; text`: they stand in the header for warnings, also of a replay. */
  readonly warnings?: readonly string[]
  /** For a route with two success statuses; otherwise the operation's. */
  readonly status?: number
  /** Called once, with true when the last byte was handed to the network, with false when the caller left before. */
  readonly onClosed?: (delivered: boolean) => void
  /**
   * Set when the handler already built every part of the body by its own schema: it is written unchanged. For long
   * lists of mixed types, where checking every schema again per item costs more than the rest of the call.
   */
  readonly isExact?: boolean
}

/** A success body with extras. A handler that needs none of them returns the body itself. */
export class Answer<Body> {
  readonly body: Body
  readonly extras: AnswerExtras

  constructor(body: Body, extras: AnswerExtras) {
    this.body = body
    this.extras = extras
  }
}

export function answer<Body>(body: Body, extras: AnswerExtras): Answer<Body> {
  return new Answer(body, extras)
}

/** The answer for a browser where other callers get JSON: a page or a redirect. See `Success.browser`. */
export class BrowserAnswer {
  readonly status: number
  readonly headers: OutgoingHttpHeaders
  readonly html: string
  /** Of a refusal that is shown as a page or sent with a redirect, for the log. */
  readonly errorKey: ErrorKey | null

  constructor(status: number, headers: OutgoingHttpHeaders, html: string, errorKey: ErrorKey | null = null) {
    this.status = status
    this.headers = headers
    this.html = html
    this.errorKey = errorKey
  }
}

export function page(
  status: number,
  html: string,
  headers: OutgoingHttpHeaders = {},
  errorKey: ErrorKey | null = null,
): BrowserAnswer {
  return new BrowserAnswer(status, { ...headers, 'content-type': 'text/html; charset=utf-8' }, html, errorKey)
}

export function redirect(status: 302 | 303, location: string, errorKey: ErrorKey | null = null): BrowserAnswer {
  return new BrowserAnswer(status, { location }, '', errorKey)
}
