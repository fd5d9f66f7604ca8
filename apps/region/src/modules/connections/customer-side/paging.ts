import { parseUuid } from '@sealpost/kernel'
import { type PageQueryText, parsePageQuery } from '@sealpost/protocol'
import { invalid } from './operations/refusals.ts'

/** A part of a list in the order of ids; the cursor is the last id of the part before. */
export interface Slice<Id extends string> {
  readonly after: Id | null
  readonly offset: number
  readonly limit: number
}

export function readSlice<Id extends string>(query: PageQueryText): Slice<Id> {
  const page = parsePageQuery(query)
  if (!page.ok) throw invalid(`/query${page.refusal.path}`, page.refusal.message)
  const { limit, from } = page.value
  if ('offset' in from) return { after: null, offset: from.offset, limit }
  const after = parseUuid<Id>(from.cursor)
  if (after === null) throw invalid('/query/cursor', 'is not a cursor of this list')
  return { after, offset: 0, limit }
}

/** From one row more than the slice holds: that one only tells that others follow. */
export function pageOf<Row extends { readonly id: string }>(
  rows: readonly Row[],
  { offset, limit }: Slice<string>,
): { readonly rows: readonly Row[]; readonly knownTotal: number; readonly nextCursor: string | null } {
  const page = rows.slice(0, limit)
  const hasMore = rows.length > limit
  const knownTotal = offset + page.length + (hasMore ? 1 : 0)
  return { rows: page, knownTotal, nextCursor: hasMore ? (page.at(-1)?.id ?? null) : null }
}
