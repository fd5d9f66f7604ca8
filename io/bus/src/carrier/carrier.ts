import type { Link, Party } from '../parties.ts'

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
  /** Makes the link's queue if this NATS is the party's own; the other parties wait for it. */
  prepare(link: Link): void
  /** Publishes one message to the link's queue; resolves when the server has stored it. */
  send(link: Link, messageId: string, payload: Uint8Array): Promise<void>
  /** How many messages of the link its receiver has not yet acknowledged. */
  unacknowledged(link: Link): Promise<number>
  /** Delivers the link's messages, at most `atOnce` unacknowledged, until stopped; at home, recreates lost queues. */
  receive(link: Link, atOnce: number, onMessage: (message: CarriedMessage) => void): Stoppable
  /** To current subscribers; having none is no error. */
  publish(subject: string, payload: Uint8Array): void
  subscribe(subject: string, onMessage: (payload: Uint8Array) => void): Stoppable
  /** One answer, or why there is none. */
  request(subject: string, payload: Uint8Array, timeoutMs: number): Promise<Uint8Array | NoAnswer>
  /**
   * Answers the requests of `asking`, shared with every other process that serves the same subject. A request whose reply
   * would go anywhere but to the inbox of that party is not answered.
   */
  serve(subject: string, asking: Party, answer: AnswerRequest): Serving
  close(): Promise<void>
}

/** Must not reject. Null sends no answer. */
export type AnswerRequest = (payload: Uint8Array) => Promise<Uint8Array | null>

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
