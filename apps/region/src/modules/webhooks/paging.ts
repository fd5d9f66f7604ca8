import { parseUuid } from '@sealpost/kernel'
import { type PageQueryText, parsePageQuery, refuse } from '@sealpost/protocol'

export interface Slice {
  /** The last id of the page before. */
  readonly past: string | null
  readonly offset: number
  readonly limit: number
}

/** For lists by id in either direction; `list` is what a cursor must have been made for. */
export function sliceOf(query: PageQueryText, list: string): Slice {
  const page = parsePageQuery(query)
  if (!page.ok) throw invalidQuery(page.refusal.path, page.refusal.message)
  const { limit, from } = page.value
  if ('offset' in from) return { past: null, offset: from.offset, limit }
  const [named, id = ''] = from.cursor.split('~')
  const past = named === list ? parseUuid(id) : null
  if (past === null) throw invalidQuery('/cursor', 'is not a cursor of this list')
  return { past, offset: 0, limit }
}

export function cursorOf(list: string, id: string): string {
  return `${list}~${id}`
}

function invalidQuery(path: string, message: string): Error {
  return refuse('request.invalid', { details: [{ path: `/query${path}`, message }] })
}
