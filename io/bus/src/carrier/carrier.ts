import type { Link } from '../parties.ts'

/**
 * What the bus needs from one message server. Nothing here is trusted with the only copy of anything: messages may be
 * lost, doubled or reordered, and the tables put it right. See ../../README.md.
 */
export interface Carrier {
  isConnected(): boolean
  /** Resolves true once connected, false when that takes longer than `withinMs`. */
  connected(withinMs: number): Promise<boolean>
  /** Called after every connection but the first. */
  onReconnect(act: () => void): void
  /** Hands one message to the link's queue; resolves when the server has stored it. */
  send(link: Link, messageId: string, payload: Uint8Array): Promise<void>
  /** How many messages of the link its receiver has not yet acknowledged. */
  unacknowledged(link: Link): Promise<number>
  /** Hands on the link's messages, at most `atOnce` unacknowledged, until stopped; heals lost queues by itself. */
  receive(link: Link, atOnce: number, onMessage: (message: CarriedMessage) => void): Stoppable
  /** To whoever listens right now; nobody listening is no error. */
  publish(subject: string, payload: Uint8Array): void
  subscribe(subject: string, onMessage: (payload: Uint8Array) => void): Stoppable
  /** One answer, or why there is none. */
  request(subject: string, payload: Uint8Array, timeoutMs: number): Promise<Uint8Array | NoAnswer>
  /** Answers requests, sharing them with every other process that serves the same subject. */
  serve(subject: string, answer: AnswerRequest): Serving
  close(): Promise<void>
}

/** Must not reject. `subject` is the one that was asked on, where the served one has a wildcard. */
export type AnswerRequest = (payload: Uint8Array, subject: string) => Promise<Uint8Array>

/** `connection lost`: it may or may not have arrived. */
export type NoAnswer = 'no responders' | 'connection lost' | 'timeout'

export interface CarriedMessage {
  readonly payload: Uint8Array
  acknowledge(): void
  /** Not now: it comes again once somebody receives. */
  giveBack(): void
}

export interface Stoppable {
  stop(): void
}

export interface Serving {
  /** Takes no more requests; resolves when those that had come are answered. */
  stop(): Promise<void>
}
