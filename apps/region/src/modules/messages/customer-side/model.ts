import type { ConnectionId, Instant, ServiceId, UserId } from '@sealpost/kernel'
import type { MessageId } from '../model.ts'

/** Names the thread of a customer's own connection. */
export interface ThreadName {
  readonly accountId: UserId
  readonly connectionId: ConnectionId
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
