import { type Instant, parseInstant, parseUuid } from '@sealpost/kernel'
import type { MessageCopy } from '@sealpost/protocol'
import type { Receipt, Sender, StoredMessage } from '../model.ts'

/** The names of a connection in a bus message. */
export interface ConnectedBody {
  company_id: string
  service_id: string
  connection_id: string
  customer_id: string
}

/** An id from a bus message; a malformed one is a fault of the sending region. */
export function readId<Id extends string>(text: string): Id {
  const id = parseUuid<Id>(text)
  if (id === null) throw new Error('invalid id in a bus message')
  return id
}

export function readTime(text: string): Instant {
  const time = parseInstant(text)
  if (time === null) throw new Error('invalid timestamp in a bus message')
  return time
}

export function readMessage(sender: Sender, { id, seq, body, created_at: createdAt }: MessageCopy): StoredMessage {
  return { id: readId(id), sender, seq, body, createdAt: readTime(createdAt) }
}

export function readReceipt(body: { readonly up_to_seq: number; readonly read_at: string }): Receipt {
  return { upToSeq: body.up_to_seq, readAt: readTime(body.read_at) }
}
