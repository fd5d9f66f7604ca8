import type { OutgoingHttpHeaders } from 'node:http'

export interface AnswerExtras {
  readonly headers?: OutgoingHttpHeaders
  /** Where one route has two ways to succeed; else it is the operation's. */
  readonly status?: number
  /** Told once the last byte has been handed to the network (true), or that the caller left before (false). */
  readonly onClosed?: (delivered: boolean) => void
  /**
   * Whoever made the body took each part by its own schema already, and nothing else: it is written as it stands. For
   * long lists of different things, where asking every schema again for every item costs more than the rest of the call.
   */
  readonly isExact?: boolean
}

/** A success body with more than its members to say. Handlers without such needs return the body itself. */
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

/** What a browser gets where everybody else gets JSON: a page, or the way to another one. See `Success.browser`. */
export class BrowserAnswer {
  readonly status: number
  readonly headers: OutgoingHttpHeaders
  readonly html: string

  constructor(status: number, headers: OutgoingHttpHeaders, html: string) {
    this.status = status
    this.headers = headers
    this.html = html
  }
}

export function page(status: number, html: string, headers: OutgoingHttpHeaders = {}): BrowserAnswer {
  return new BrowserAnswer(status, { ...headers, 'content-type': 'text/html; charset=utf-8' }, html)
}

export function redirect(status: 302 | 303, location: string): BrowserAnswer {
  return new BrowserAnswer(status, { location }, '')
}
