import type { Brand, Instant } from '@sealpost/kernel'

export type MessageId = Brand<string, 'MessageId'>

/** `person` is the customer, also where it is a company. */
export type Sender = 'person' | 'company'

/** The messages of a connection as numbers; the lock of the connection covers it. */
export interface Thread {
  readonly messages: number
  /** Messages of the other side that the owner has not acknowledged. */
  readonly unread: number
  readonly isEnded: boolean
  /** Of an ended connection whose messages are kept. */
  readonly lifetime: Lifetime | null
  /** The owner has deleted its copies up to then. */
  readonly clearedAt: Instant | null
}

/** A thread shows the broadcasts of this time; `until` null: the connection has not ended. */
export interface Lifetime {
  readonly from: Instant
  readonly until: Instant | null
}

export interface StoredMessage {
  readonly id: MessageId
  readonly sender: Sender
  /** Orders the messages of one sender on a connection. */
  readonly seq: number
  /** Sealed to the owner of the row; null for a message of the owner without a copy for itself. */
  readonly body: string | null
  readonly createdAt: Instant
}

/** An item of a thread; a broadcast has no receipt. */
export interface ListedMessage extends Omit<StoredMessage, 'seq'> {
  readonly isBroadcast: boolean
  readonly readAt: Instant | null
}

/** The reader has acknowledged the sender's messages up to this number. */
export interface Receipt {
  readonly upToSeq: number
  readonly readAt: Instant
}

export interface GivenBoundary {
  readonly message_id?: string
  readonly up_to_message_id?: string
}
