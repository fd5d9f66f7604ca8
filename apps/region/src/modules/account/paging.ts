import { parseUuid } from '@sealpost/kernel'
import { type PageQueryText, type PageRequest, parsePageQuery, refuse } from '@sealpost/protocol'
import type { Slice } from './store/delegates.ts'

/** The query of a list, or `request.invalid`. */
export function readPage(query: PageQueryText): PageRequest {
  const page = parsePageQuery(query)
  if (page.ok) return page.value
  throw invalidPage(page.refusal.path, page.refusal.message)
}

/** For lists in the order of their ids: the cursor is the last id of the page before. */
export function sliceById(query: PageQueryText): Slice {
  const { limit, from } = readPage(query)
  if ('offset' in from) return { after: null, offset: from.offset, limit }
  const after = parseUuid<string>(from.cursor)
  if (after === null) throw invalidPage('/cursor', 'is not a cursor of this list')
  return { after, offset: 0, limit }
}

export interface Page<Item> {
  readonly total: number
  readonly items: Item[]
  readonly next_cursor: string | null
}

/**
 * The answer of a list without a counter, from one row more than its page holds: that one only tells that more follow.
 * Its total is what is known so far.
 */
export function pageById<Row extends { readonly id: string }, Item>(
  rows: readonly Row[],
  { offset, limit }: Slice,
  show: (row: Row) => Item,
): Page<Item> {
  const page = rows.slice(0, limit)
  const hasMore = rows.length > limit
  const total = offset + page.length + (hasMore ? 1 : 0)
  return { total, items: page.map(show), next_cursor: hasMore ? (page.at(-1)?.id ?? null) : null }
}

export function invalidPage(path: string, message: string): Error {
  return refuse('request.invalid', { details: [{ path: `/query${path}`, message }] })
}
