import { Readable } from 'node:stream'
import type { Served } from './exchange.ts'

/**
 * [Note: revalidation] A route with `revalidates` names each state of its answer by a strong ETag. JSON and XML of one
 * state are different bytes, so the XML form has a tag of its own. Gates and limits come first: whoever may not read the
 * answer does not learn whether it changed.
 */
export function tagAnswer({ reply, route }: Served, isXml: boolean): string | null {
  if (route.operation.success.revalidates !== true) return null
  const tag = reply.getHeader('etag')
  if (typeof tag !== 'string') throw new Error(`${route.operation.id} promises an ETag and its handler gave none`)
  const shown = isXml ? tag.replace(/"$/, '-xml"') : tag
  reply.header('etag', shown)
  return shown
}

/** Sends 304 when the caller has this state already. */
export function sendUnchanged({ request, reply }: Served, tag: string | null, body: unknown): boolean {
  if (tag === null || !holdsTag(request.headers['if-none-match'], tag)) return false
  if (body instanceof Readable) body.destroy()
  reply.removeHeader('content-type')
  reply.code(304).send()
  return true
}

/** By the weak comparison, which If-None-Match asks for: a proxy may have weakened the tag on its way. */
export function holdsTag(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false
  if (header.trim() === '*') return true
  return header.split(',').some((held) => held.trim().replace(/^W\//, '') === tag)
}
