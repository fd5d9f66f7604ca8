import { parseUuid } from '@sealpost/kernel'
import { type PageQueryText, parsePageQuery, refuse } from '@sealpost/protocol'

/** The rows of one page, of a list in the order of ids. */
export interface Slice<Id extends string = string> {
  /** The last id of the previous page; null for the first page. */
  readonly after: Id | null
  readonly offset: number
  readonly limit: number
}

export interface Page<Item> {
  readonly total: number
  readonly items: Item[]
  readonly next_cursor: string | null
}

export interface PagedList<Row, Item> {
  /** Part of each cursor: a cursor of another list is refused. */
  readonly name: string
  readonly idOf: (row: Row) => string
  readonly toWire: (row: Row) => Item
}

/**
 * Answers one page. `load` gets a limit one above the page's: the extra row shows that more follow. Without `total` the
 * answer counts the rows up to this page.
 */
export async function listPage<Row, Item, Id extends string>(
  list: PagedList<Row, Item>,
  query: PageQueryText,
  load: (slice: Slice<Id>) => Promise<readonly Row[]>,
  total?: () => Promise<number>,
): Promise<Page<Item>> {
  const slice = readSlice<Id>(query, list.name)
  const rows = await load({ ...slice, limit: slice.limit + 1 })
  const page = pageOf(list, slice, rows)
  return total === undefined ? page : { ...page, total: await total() }
}

/** Answers one page of a list that is in memory as a whole, ordered by id. */
export function pageInMemory<Row, Item>(
  list: PagedList<Row, Item>,
  query: PageQueryText,
  all: readonly Row[],
): Page<Item> {
  const { after, offset, limit } = readSlice(query, list.name)
  const rest = after === null ? all.slice(offset) : all.filter((row) => list.idOf(row) > after)
  return { ...pageOf(list, { after, offset, limit }, rest), total: all.length }
}

/** `rows` may be more than the page: the others only show that more follow. */
export function pageOf<Row, Item>(
  { name, idOf, toWire }: PagedList<Row, Item>,
  { offset, limit }: Slice,
  rows: readonly Row[],
): Page<Item> {
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  const hasMore = rows.length > limit && last !== undefined
  return {
    total: offset + page.length + (hasMore ? 1 : 0),
    items: page.map(toWire),
    next_cursor: hasMore ? `${name}~${idOf(last)}` : null,
  }
}

/** The slice of a query; refuses an invalid query and cursors of other lists. */
export function readSlice<Id extends string>(query: PageQueryText, list: string): Slice<Id> {
  const page = parsePageQuery(query)
  if (!page.ok) throw invalidQuery(page.refusal.path, page.refusal.message)
  const { limit, from } = page.value
  if ('offset' in from) return { after: null, offset: from.offset, limit }
  const [name, id = ''] = from.cursor.split('~')
  const after = name === list ? parseUuid<Id>(id) : null
  if (after === null) throw invalidQuery('/cursor', 'is not a cursor of this list')
  return { after, offset: 0, limit }
}

export function invalidQuery(path: string, message: string): Error {
  return refuse('request.invalid', { details: [{ path: `/query${path}`, message }] })
}
