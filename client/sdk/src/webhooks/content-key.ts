import { encodeHex } from '@sealpost/crypto'
import { hostPlatform } from '../keys/host.ts'

/**
 * What a delivery says, without its `id`: a live delivery mints one, and a repeat of the same event carries another, so
 * the id of a body tells nothing. The event, whom it concerns (person and slug, document or request) and its payload do.
 */
export async function contentKey(event: Readonly<Record<string, unknown>>): Promise<string> {
  const { id: _id, ...content } = event
  const { crypto, utf8 } = hostPlatform()
  const bytes = utf8.encode(canonical(content)) ?? new Uint8Array()
  return `content:${encodeHex(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)))}`
}

/** One text for one content: the order of members says nothing, that of lists does. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonical(member)}`).join()}}`
}
