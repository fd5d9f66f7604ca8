import { encodeHex } from '@sealpost/crypto'
import { hostPlatform } from '../keys/host.ts'

/**
 * A hash of the content of a delivery without its `id`: every delivery of an event has another body id, so it does not
 * identify the event. Event, subject (person and slug, document or request) and payload do.
 */
export async function contentKey(event: Readonly<Record<string, unknown>>): Promise<string> {
  const { id: _id, ...content } = event
  const { crypto, utf8 } = hostPlatform()
  const bytes = utf8.encode(canonical(content)) ?? new Uint8Array()
  return `content:${encodeHex(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)))}`
}

/** Canonical JSON: the order of members does not matter, the order of lists does. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonical(member)}`).join()}}`
}
