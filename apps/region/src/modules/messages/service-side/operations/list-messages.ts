import { ListAnswer } from '@sealpost/http'
import type { Message, PageQueryText } from '@sealpost/protocol'
import { type Batch, listBatches, type Page, type Slice } from '../../../../platform/page.ts'
import type { ListedMessage, MessageId } from '../../model.ts'
import { newest } from '../../rules/newest.ts'
import { itemToWire } from '../../wire.ts'
import type { ServiceSideContext } from '../context.ts'
import type { ReadableThread } from '../model.ts'
import { countBroadcasts, listBroadcasts } from '../store/broadcasts.ts'
import { listRows } from '../store/messages.ts'
import { readThread } from '../store/threads.ts'

/** A message has up to 64 KiB. */
const ROWS_AT_ONCE = 25

export type MessagePage = Page<Message> & { readonly unread_count: number }

export async function listMessages(
  { database }: ServiceSideContext,
  { serviceId, connectionId, lifetime }: ReadableThread,
  query: PageQueryText,
): Promise<ListAnswer<MessagePage>> {
  const thread = { serviceId, connectionId }
  const { source } = await listBatches(
    { name: 'messages', idOf: ({ id }: ListedMessage) => id, toWire: itemToWire },
    query,
    async (slice: Slice<MessageId>): Promise<Batch<ListedMessage, MessageId>> => {
      const limit = Math.min(slice.limit, ROWS_AT_ONCE)
      const found = await database.read(async (read) => {
        const first = { ...slice, offset: 0, limit: slice.offset + limit + 1 }
        const messages = await listRows(read, thread, first)
        const broadcasts = lifetime === null ? [] : await listBroadcasts(read, serviceId, lifetime, first)
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
      const { messages, unread } = await database.read((read) => readThread(read, thread))
      const broadcasts =
        lifetime === null ? 0 : await database.read((read) => countBroadcasts(read, serviceId, lifetime))
      return { ...page, total: messages + broadcasts, unread_count: unread }
    },
  })
}
