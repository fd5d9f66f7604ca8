import { ListAnswer } from '@sealpost/http'
import type { Message, PageQueryText } from '@sealpost/protocol'
import { type Batch, listBatches, type Page, type Slice } from '../../../../platform/page.ts'
import type { ListedMessage, MessageId } from '../../model.ts'
import { newest } from '../../rules/newest.ts'
import { itemToWire } from '../../wire.ts'
import type { CustomerContext } from '../context.ts'
import { countBroadcasts, countUnreadBroadcasts, listBroadcasts } from '../store/broadcasts.ts'
import { listRows } from '../store/messages.ts'
import { readThread } from '../store/threads.ts'
import type { OwnConnection } from './locate-thread.ts'

/** A message has up to 64 KiB. */
const ROWS_AT_ONCE = 25

export async function listMessages(
  { database }: CustomerContext,
  connection: OwnConnection,
  query: PageQueryText,
): Promise<ListAnswer<Page<Message> & { readonly unread_count: number }>> {
  const { accountId, id: connectionId } = connection
  const thread = { accountId, connectionId }
  const { source } = await listBatches(
    { name: 'own_messages', idOf: ({ id }: ListedMessage) => id, toWire: itemToWire },
    query,
    async (slice: Slice<MessageId>): Promise<Batch<ListedMessage, MessageId>> => {
      const limit = Math.min(slice.limit, ROWS_AT_ONCE)
      const found = await database.read(async (read) => {
        const first = { ...slice, offset: 0, limit: slice.offset + limit + 1 }
        const messages = await listRows(read, thread, first)
        return newest(messages, await listBroadcasts(read, connection, first)).slice(
          slice.offset,
          slice.offset + limit + 1,
        )
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
        const broadcasts = await countBroadcasts(read, connection)
        const unreadBroadcasts = await countUnreadBroadcasts(read, connection, null)
        return { ...page, total: messages + broadcasts, unread_count: unread + unreadBroadcasts }
      })
    },
  })
}
