import { type ConnectionId, parseUuid } from '@sealpost/kernel'
import { type PageQueryText, parsePageQuery, refuse } from '@sealpost/protocol'
import type { PageOf } from '../operations/read.ts'
import type { Slice } from '../store/records.ts'

/** Which list a cursor continues; it is no cursor of any other. */
type ListName = 'connections' | 'listed'

export function sliceOf(list: ListName, query: PageQueryText): Slice {
  const page = parsePageQuery(query)
  if (!page.ok) throw invalid(page.refusal.path, page.refusal.message)
  const { limit, from } = page.value
  if ('offset' in from) return { after: null, offset: from.offset, limit }
  const [named, id = ''] = from.cursor.split('.')
  const after = named === list ? parseUuid<ConnectionId>(id) : null
  if (after === null) throw invalid('/cursor', 'is not a cursor of this list')
  return { after, offset: 0, limit }
}

export function showPage<Row, Item>(
  list: ListName,
  { total, items, next }: PageOf<Row>,
  show: (row: Row) => Item,
): { total: number; items: Item[]; next_cursor: string | null } {
  return { total, items: items.map(show), next_cursor: next === null ? null : `${list}.${next}` }
}

function invalid(path: string, message: string): Error {
  return refuse('request.invalid', { details: [{ path: `/query${path}`, message }] })
}
