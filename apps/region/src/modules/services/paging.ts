import { parseUuid } from '@sealpost/kernel'
import { type PageQueryText, parsePageQuery, refuse } from '@sealpost/protocol'
import type { Slice } from './store/services.ts'

/** For lists in the order of their ids: the cursor is the last id of the page before. */
export function sliceById(query: PageQueryText): Slice {
  const page = parsePageQuery(query)
  if (!page.ok) throw refuse('request.invalid', invalidQuery(page.refusal.path, page.refusal.message))
  const { limit, from } = page.value
  if ('offset' in from) return { after: null, offset: from.offset, limit }
  return { after: readCursor(from.cursor, ''), offset: 0, limit }
}

/** `list`: what the cursor must have been made for. */
export function readCursor(cursor: string, list: string): string {
  const prefix = list === '' ? '' : `${list}~`
  const id = cursor.startsWith(prefix) ? parseUuid(cursor.slice(prefix.length)) : null
  if (id === null) throw refuse('request.invalid', invalidQuery('/cursor', 'is not a cursor of this list'))
  return id
}

export function invalidQuery(path: string, message: string) {
  return { details: [{ path: `/query${path}`, message }] }
}

export function invalidBody(path: string, message: string) {
  return { details: [{ path: `/body${path}`, message }] }
}
