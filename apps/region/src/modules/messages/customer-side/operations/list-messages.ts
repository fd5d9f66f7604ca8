import { ListAnswer } from '@sealpost/http'
import type { Message, PageQueryText } from '@sealpost/protocol'
import { type Batch, listBatches, type Page, type Slice } from '../../../../platform/page.ts'
import type { ListedMessage, MessageId } from '../../model.ts'
import { newest } from '../../rules/newest.ts'
import { itemToWire } from '../../wire.ts'
import type { CustomerContext } from '../context.ts'
import type { ReadableThread } from '../model.ts'
import { countBroadcasts, countUnreadBroadcasts, listBroadcasts } from '../store/broadcasts.ts'
import { listRows } from '../store/messages.ts'
import { readThread } from '../store/threads.ts'

/** A message has up to 64 KiB. */
const ROWS_AT_ONCE = 25

export async function listMessages(
  { database }: CustomerContext,
  { accountId, connectionId, shown }: ReadableThread,
  query: PageQueryText,
): Promise<ListAnswer<Page<Message> & { readonly unread_count: number }>> {
  const thread = { accountId, connectionId }
  const { source } = await listBatches(
    { name: 'own_messages', idOf: ({ id }: ListedMessage) => id, toWire: itemToWire },
    query,
    async (slice: Slice<MessageId>): Promise<Batch<ListedMessage, MessageId>> => {
      const limit = Math.min(slice.limit, ROWS_AT_ONCE)
      const found = await database.read(async (read) => {
        const first = { ...slice, offset: 0, limit: slice.offset + limit + 1 }
        const messages = await listRows(read, thread, first)
        const broadcasts = shown === null ? [] : await listBroadcasts(read, thread, shown, first)
        return newest(messages, broadcasts).slice(slice.offset, slice.offset + limit + 1)
      })
      const rows = found.slice(0, limit)
      return { rows, next: found.length > limit ? (rows.at(-1)?.id ?? null) : null }
    },
  )
  return new ListAnswer({
    ...source,
    furtherMembers: { unread_count: 0 },
    async rest(written) {
      const page = await source.rest(written)
      return database.read(async (read) => {
        const { messages, unread } = await readThread(read, thread)
        if (shown === null) return { ...page, total: messages, unread_count: unread }
        const broadcasts = await countBroadcasts(read, shown)
        // Nothing of a closed thread waits for an acknowledgement.
        const isOpen = shown.until === null
        const seenBy = { ...shown, accountId, id: connectionId, connectedAt: shown.from }
        const unreadBroadcasts = isOpen ? await countUnreadBroadcasts(read, seenBy, null) : 0
        return { ...page, total: messages + broadcasts, unread_count: unread + unreadBroadcasts }
      })
    },
  })
}
