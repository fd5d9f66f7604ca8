import type { ConnectionId, Instant, ServiceId } from '@sealpost/kernel'
import type { Lifetime, MessageId } from '../model.ts'

/** A thread that its service reads, also one whose connection has ended. */
export interface ReadableThread extends ThreadName {
  /** Null for an ended connection without messages. */
  readonly lifetime: Lifetime | null
}

/** Names the thread of a connection. */
export interface ThreadName {
  readonly serviceId: ServiceId
  readonly connectionId: ConnectionId
}

export interface StoredBroadcast {
  readonly id: MessageId
  readonly body: string
  readonly recipients: number
  readonly createdAt: Instant
}

/** An operator may suspend all messages of a service, or only its broadcasts. */
export type Suspendable = 'messages' | 'broadcasts'
