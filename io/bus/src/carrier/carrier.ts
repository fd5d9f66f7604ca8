import type { Link } from '../parties.ts'

/**
 * The message server as the bus uses it. It never holds the only copy of anything: messages may be lost, doubled or
 * reordered, and the tables correct that. See ../../README.md.
 */
export interface Carrier {
  isConnected(): boolean
  /** Resolves true once connected, false when that takes longer than `withinMs`. */
  connected(withinMs: number): Promise<boolean>
  /** Called after every reconnection. */
  onReconnect(act: () => void): void
  /** Publishes one message to the link's queue; resolves when the server has stored it. */
  send(link: Link, messageId: string, payload: Uint8Array): Promise<void>
  /** How many messages of the link its receiver has not yet acknowledged. */
  unacknowledged(link: Link): Promise<number>
  /** Delivers the link's messages, at most `atOnce` unacknowledged, until stopped; recreates lost queues. */
  receive(link: Link, atOnce: number, onMessage: (message: CarriedMessage) => void): Stoppable
  /** To current subscribers; having none is no error. */
  publish(subject: string, payload: Uint8Array): void
  subscribe(subject: string, onMessage: (payload: Uint8Array) => void): Stoppable
  /** One answer, or why there is none. */
  request(subject: string, payload: Uint8Array, timeoutMs: number): Promise<Uint8Array | NoAnswer>
  /** Answers requests, shared with every other process that serves the same subject. */
  serve(subject: string, answer: AnswerRequest): Serving
  close(): Promise<void>
}

/** Must not reject. `subject` is the one that was requested, where the served one has a wildcard. */
export type AnswerRequest = (payload: Uint8Array, subject: string) => Promise<Uint8Array>

/** `connection lost`: the request may or may not have arrived. */
export type NoAnswer = 'no responders' | 'connection lost' | 'timeout'

export interface CarriedMessage {
  readonly payload: Uint8Array
  acknowledge(): void
  /** Rejected for now: redelivered when a receiver pulls again. */
  giveBack(): void
}

export interface Stoppable {
  stop(): void
}

export interface Serving {
  /** Accepts no more requests; resolves when pending ones are answered. */
  stop(): Promise<void>
}
