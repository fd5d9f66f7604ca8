import type { MessageCopy } from '@sealpost/protocol'
import { readId, readTime } from '../../../platform/bus-values.ts'
import type { Receipt, Sender, StoredMessage } from '../model.ts'

export function readMessage(sender: Sender, { id, seq, body, created_at: createdAt }: MessageCopy): StoredMessage {
  return { id: readId(id), sender, seq, body, createdAt: readTime(createdAt) }
}

export function readReceipt(body: { readonly up_to_seq: number; readonly read_at: string }): Receipt {
  return { upToSeq: body.up_to_seq, readAt: readTime(body.read_at) }
}
