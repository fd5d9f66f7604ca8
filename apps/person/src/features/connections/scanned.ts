/** The two parts of the code of a service. */
export interface ServiceCode {
  readonly company: string
  readonly service: string
}

/** What a scanned code leads to: what a service asks for, or the request of an app on another screen. */
export type Scanned =
  /** `fragment` says which key the company announces; empty for a code alone. */
  | ({ readonly kind: 'service'; readonly fragment: string } & ServiceCode)
  /** `query` is that of the consent page. */
  | { readonly kind: 'request'; readonly query: string }

/** Null for anything else. */
export function readServiceCode(text: string): ServiceCode | null {
  const [, company, service] = /^\s*([A-Za-z0-9]+)\s*\/\s*([A-Za-z0-9_-]+)\s*$/.exec(text.toUpperCase()) ?? []
  return company === undefined || service === undefined ? null : { company, service }
}

/** Null for everything that is not of this app or its front door: a code on a wall must not lead anywhere but here. */
export function readScanned(text: string, appOrigin: string, frontDoorOrigin: string): Scanned | null {
  const code = readServiceCode(text)
  if (code !== null) return { kind: 'service', ...code, fragment: '' }
  if (!URL.canParse(text)) return null
  const { origin, pathname, search: query, hash: fragment } = new URL(text)
  if (origin === frontDoorOrigin && pathname === '/oauth2/authorize') return { kind: 'request', query }
  if (origin !== appOrigin) return null
  if (pathname === '/consent') return { kind: 'request', query }
  const linked = pathname.startsWith('/connect/') ? readServiceCode(pathname.slice('/connect/'.length)) : null
  return linked === null || readAnnouncedKey(fragment) === null ? null : { kind: 'service', ...linked, fragment }
}

/**
 * The key that a link of the company names, `#k=` and 64 hex digits; `key` is null for a link without a fragment. Null for
 * what cannot be read: a cut link must not mean less protection.
 */
export function readAnnouncedKey(fragment: string): { readonly key: string | null } | null {
  if (fragment === '') return { key: null }
  const [, key] = /^#k=([0-9a-f]{64})$/i.exec(fragment) ?? []
  return key === undefined ? null : { key: key.toLowerCase() }
}
