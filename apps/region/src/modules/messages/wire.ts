import { formatInstant, type Instant } from '@sealpost/kernel'
import type { Message, MessageCopy, SentMessage } from '@sealpost/protocol'
import type { ListedMessage, MessageId } from './model.ts'

export function itemToWire({ id, sender, body, isBroadcast, createdAt, readAt }: ListedMessage): Message {
  return {
    message_id: id,
    id,
    from: sender,
    body,
    ...(isBroadcast ? { broadcast: true as const } : {}),
    created_at: formatInstant(createdAt),
    read_at: readAt === null ? null : formatInstant(readAt),
  }
}

export function sentToWire({ id, createdAt }: { readonly id: MessageId; readonly createdAt: Instant }): SentMessage {
  return { message_id: id, id, created_at: formatInstant(createdAt) }
}

export interface Copied {
  readonly id: MessageId
  readonly seq: number
  readonly createdAt: Instant
}

/** The recipient's copy. */
export function copyToWire({ id, seq, createdAt }: Copied, body: string): MessageCopy {
  return { id, seq, body, created_at: formatInstant(createdAt) }
}
