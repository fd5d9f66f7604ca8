import type { ConnectionId, Instant, ServiceId } from '@sealpost/kernel'
import type { MessageId } from '../model.ts'

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
