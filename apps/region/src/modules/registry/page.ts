import { type PageQueryText, parsePageQuery, refuse } from '@sealpost/protocol'
import type { ContactField } from './catalog.ts'

/** One page of a list that is in memory as a whole. `view` names the filter, which a cursor belongs to. */
export function pageOfFields<Item>(
  fields: readonly ContactField[],
  view: string,
  query: PageQueryText,
  show: (field: ContactField) => Item,
): { readonly total: number; readonly items: Item[]; readonly next_cursor: string | null } {
  const parsed = parsePageQuery(query)
  if (!parsed.ok) throw invalid(parsed.refusal.path, parsed.refusal.message)
  const { limit, from } = parsed.value
  const start = 'offset' in from ? from.offset : startAfter(fields, view, from.cursor)
  const page = fields.slice(start, start + limit)
  const last = page.at(-1)
  const hasMore = start + limit < fields.length && last !== undefined
  return { total: fields.length, items: page.map(show), next_cursor: hasMore ? `${view}.${last.id}` : null }
}

/** By the order of ids, so that a field that is gone in between changes nothing. */
function startAfter(fields: readonly ContactField[], view: string, cursor: string): number {
  const [listed, id] = cursor.split('.')
  if (listed !== view || id === undefined) throw invalid('/cursor', 'is not a cursor of this list')
  const index = fields.findIndex((field) => field.id > id)
  return index < 0 ? fields.length : index
}

function invalid(path: string, message: string): Error {
  return refuse('request.invalid', { details: [{ path: `/query${path}`, message }] })
}
