import { accept, type Brand, decline, type Result } from '@sealpost/kernel'
import type { PathParams, Query } from './route.ts'

/** A base address that calls may be sent to: http or https, no credentials, no query, no trailing slash. */
export type Address = Brand<string, 'Address'>

export function parseAddress(text: string): Result<Address, string> {
  if (!URL.canParse(text)) return decline('is not a URL')
  const url = new URL(text)
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return decline(`has the scheme ${url.protocol}`)
  if (url.username !== '' || url.password !== '') return decline('contains credentials')
  if (url.search !== '' || url.hash !== '') return decline('contains a query or a fragment')
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the parser of the brand
  return accept(`${url.origin}${url.pathname.replace(/\/+$/, '')}` as Address)
}

/** The address in an answer. From a front door with https, only https is accepted: the token must not leave TLS. */
export function parseApiUrl(text: unknown, frontDoor: Address): Result<Address, string> {
  if (typeof text !== 'string') return decline('is missing')
  const parsed = parseAddress(text)
  if (parsed.ok && frontDoor.startsWith('https:') && !parsed.value.startsWith('https:')) return decline('is not https')
  return parsed
}

export function addressOf(base: string, path: string, params: PathParams, query: Query): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => pathSegment(name, params[name]))
  const given = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) if (value !== undefined) given.append(name, value)
  return given.size === 0 ? `${base}${filled}` : `${base}${filled}?${given.toString()}`
}

/** `.` and `..` are not percent-encoded and would lead to another route. */
function pathSegment(name: string, value: string | undefined): string {
  if (value === undefined || value === '' || value === '.' || value === '..') {
    throw new TypeError(`${name} cannot be ${JSON.stringify(value)}: it is part of the path`)
  }
  return encodeURIComponent(value)
}
