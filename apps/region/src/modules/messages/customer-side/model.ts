import type { ConnectionId, Instant, ServiceId, UserId } from '@sealpost/kernel'
import type { Lifetime, MessageId } from '../model.ts'

/** Names the thread of a customer's own connection. */
export interface ThreadName {
  readonly accountId: UserId
  readonly connectionId: ConnectionId
}

/** A thread that its customer reads, also one whose connection has ended. */
export interface ReadableThread extends ThreadName {
  /** Null for an ended connection without messages. */
  readonly shown: ShownBroadcasts | null
}

/** The broadcasts that a thread shows. */
export interface ShownBroadcasts extends Lifetime {
  readonly serviceId: ServiceId
  readonly companyRegion: string
}

export interface ServiceAddress {
  readonly companyId: UserId
  readonly companyRegion: string
  readonly serviceId: ServiceId
}

export interface ReceivedBroadcast {
  readonly serviceId: ServiceId
  /** The region that sent it; customers see only those of their service's region. */
  readonly companyRegion: string
  readonly id: MessageId
  readonly body: string
  readonly createdAt: Instant
}
