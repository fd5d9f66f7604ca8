import { ListAnswer } from '@sealpost/http'
import { parseUuid } from '@sealpost/kernel'
import { type PageQueryText, parsePageQuery, refuse } from '@sealpost/protocol'

/** The rows of one batch, of a list in the order of ids. */
export interface Slice<Id extends string = string> {
  /** The last id of the previous page or batch; null for the first one. */
  readonly after: Id | null
  readonly offset: number
  readonly limit: number
}

export type Page<Item, Member extends string = 'items'> = Readonly<Record<Member, Item[]>> & {
  readonly total: number
  readonly next_cursor: string | null
}

export interface PagedList<Row, Item, Member extends string = 'items'> {
  /** Part of each cursor: a cursor of another list is refused. */
  readonly name: string
  readonly idOf: (row: Row) => string
  readonly toWire: (row: Row) => Item
  /** The name of the list on the wire; `items` by default. */
  readonly member?: Member
  /** For ids that are no UUIDs; null for a text that is none. */
  readonly readId?: (text: string) => string | null
}

/** Consecutive rows, fewer than were asked for when they are large. */
export interface Batch<Row, Id extends string = string> {
  readonly rows: readonly Row[]
  /** The id after which the list goes on; null when these were the last rows. */
  readonly next: Id | null
}

/** Rows per statement. Those of most lists have at most some kilobytes. */
const ROWS_AT_ONCE = 100

/**
 * Answers one page. `load` gets a limit one above the number of wanted rows: the extra row shows that more follow. It is
 * called once per batch and opens a read of its own, so that no connection waits for the reader of the answer. Without
 * `total` the answer counts the rows up to this page.
 */
export function listPage<Row, Item, Id extends string, Member extends string = 'items'>(
  list: PagedList<Row, Item, Member>,
  query: PageQueryText,
  load: (slice: Slice<Id>) => Promise<readonly Row[]>,
  total?: () => Promise<number>,
): Promise<ListAnswer<Page<Item, Member>>> {
  return listBatches<Row, Item, Id, Member>(
    list,
    query,
    async (slice) => {
      const limit = Math.min(slice.limit, ROWS_AT_ONCE)
      const rows = await load({ ...slice, limit: limit + 1 })
      return cut(list, rows, limit)
    },
    total,
  )
}

/** Answers one page of a list that is in memory as a whole, ordered by id. */
export function pageInMemory<Row, Item>(
  list: PagedList<Row, Item>,
  query: PageQueryText,
  all: readonly Row[],
): Promise<ListAnswer<Page<Item>>> {
  const load = ({ after, offset, limit }: Slice): Promise<readonly Row[]> => {
    const rest = after === null ? all : all.filter((row) => list.idOf(row) > after)
    return Promise.resolve(rest.slice(offset, offset + limit))
  }
  return listPage(list, query, load, () => Promise.resolve(all.length))
}

/** The same for a loader that decides how many rows it returns: at least one while there are any. */
export async function listBatches<Row, Item, Id extends string, Member extends string = 'items'>(
  list: PagedList<Row, Item, Member>,
  query: PageQueryText,
  load: (slice: Slice<Id>) => Promise<Batch<Row, Id>>,
  total?: () => Promise<number>,
): Promise<ListAnswer<Page<Item, Member>>> {
  const { after, offset, limit } = readSlice<Id>(query, list)
  const ids: string[] = []
  let [from, next]: [Slice<Id>, Id | null] = [{ after, offset, limit }, null]
  let isOver = false
  return new ListAnswer({
    member: list.member ?? 'items',
    endsAtSize: query.cursor !== undefined || query.offset === undefined,
    async next() {
      if (isOver) return null
      const batch = await load(from)
      next = batch.next
      for (const row of batch.rows) ids.push(list.idOf(row))
      from = { after: next, offset: 0, limit: limit - ids.length }
      isOver = next === null || from.limit <= 0
      return batch.rows.map(list.toWire)
    },
    async rest(written) {
      const last = written < ids.length ? (ids[written - 1] ?? null) : next
      return {
        total: total === undefined ? offset + written + (last === null ? 0 : 1) : await total(),
        next_cursor: last === null ? null : `${list.name}~${last}`,
      }
    },
  })
}

/** `rows` may be more than `limit`: the others only show that more follow. */
function cut<Row, Item, Id extends string, Member extends string>(
  { idOf }: PagedList<Row, Item, Member>,
  rows: readonly Row[],
  limit: number,
): Batch<Row, Id> {
  const kept = rows.slice(0, limit)
  const last = kept.at(-1)
  if (rows.length <= limit || last === undefined) return { rows: kept, next: null }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the ids of this list are of the type its loader takes
  return { rows: kept, next: idOf(last) as Id }
}

/** The slice of a query; refuses an invalid query and cursors of other lists. */
function readSlice<Id extends string>(
  query: PageQueryText,
  { name, readId = parseUuid }: Pick<PagedList<never, unknown, never>, 'name' | 'readId'>,
): Slice<Id> {
  const page = parsePageQuery(query)
  if (!page.ok) throw invalidQuery(page.refusal.path, page.refusal.message)
  const { limit, from } = page.value
  if ('offset' in from) return { after: null, offset: from.offset, limit }
  const [list, id = ''] = from.cursor.split('~')
  const after = list === name ? readId(id) : null
  if (after === null) throw invalidQuery('/cursor', 'is not a cursor of this list')
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- checked by the reader of this list's ids
  return { after: after as Id, offset: 0, limit }
}

export function invalidQuery(path: string, message: string): Error {
  return refuse('request.invalid', { details: [{ path: `/query${path}`, message }] })
}
