import { encodeHex } from '@sealpost/crypto'
import { hostPlatform } from './keys/host.ts'

/** Hex of the SHA-256 over canonical JSON. */
export async function digestJson(value: unknown): Promise<string> {
  const { crypto, utf8 } = hostPlatform()
  const bytes = utf8.encode(canonical(value)) ?? new Uint8Array()
  return encodeHex(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)))
}

/** Canonical JSON: the order of members does not matter, the order of lists does. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonical(member)}`).join()}}`
}
