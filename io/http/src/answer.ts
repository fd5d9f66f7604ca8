import type { OutgoingHttpHeaders } from 'node:http'

export interface AnswerExtras {
  readonly headers?: OutgoingHttpHeaders
  /** Told once the last byte has been handed to the network (true), or that the caller left before (false). */
  readonly onClosed?: (delivered: boolean) => void
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
