import { Readable } from 'node:stream'
import type { Served } from './exchange.ts'

/**
 * A route with `revalidates` identifies each state of its answer by a strong ETag. JSON and XML of one state are
 * different bytes, so the XML form has a tag of its own. Gates and limits run first: a caller who may not read the
 * answer does not learn whether it changed.
 */
export function tagAnswer({ reply, route }: Served, isXml: boolean): string | null {
  if (route.operation.success.revalidates !== true) return null
  const tag = reply.getHeader('etag')
  if (typeof tag !== 'string') throw new Error(`${route.operation.id} declares an ETag and its handler returned none`)
  const shown = isXml ? tag.replace(/"$/, '-xml"') : tag
  reply.header('etag', shown)
  return shown
}

/** Sends 304 when the caller already has this state. */
export function sendUnchanged({ request, reply }: Served, tag: string | null, body: unknown): boolean {
  if (tag === null || !holdsTag(request.headers['if-none-match'], tag)) return false
  if (body instanceof Readable) body.destroy()
  reply.removeHeader('content-type')
  reply.code(304).send()
  return true
}

/** Weak comparison, as If-None-Match requires: a proxy may have weakened the tag. */
export function holdsTag(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false
  if (header.trim() === '*') return true
  return header.split(',').some((held) => held.trim().replace(/^W\//, '') === tag)
}
