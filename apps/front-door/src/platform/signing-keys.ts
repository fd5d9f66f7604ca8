import { Secret } from '@sealpost/kernel'
import type { JWK } from 'jose'

/** The private keys that sign access tokens (ES256) and ID tokens (RS256), newest first; `/oauth2/jwks` publishes their public halves. */
export interface SigningKeys {
  readonly privateKeys: Secret<readonly JWK[]>
  readonly publicKeys: readonly JWK[]
}

const PUBLIC_MEMBERS = ['kty', 'crv', 'x', 'y', 'n', 'e', 'kid', 'alg', 'use'] as const

export function parseSigningKeys(text: string): SigningKeys {
  const parsed: unknown = JSON.parse(text)
  if (!isKeySet(parsed)) throw new Error('no `keys` array')
  for (const key of parsed.keys) {
    if (typeof key.kid !== 'string' || typeof key.d !== 'string')
      throw new Error('a key lacks `kid` or its private part')
  }
  for (const alg of ['ES256', 'RS256']) {
    if (!parsed.keys.some((key) => key.alg === alg)) throw new Error(`no ${alg} key`)
  }
  return { privateKeys: new Secret(parsed.keys), publicKeys: parsed.keys.map(publicHalf) }
}

function publicHalf(key: JWK): JWK {
  const half: JWK = { kty: key.kty ?? '' }
  for (const member of PUBLIC_MEMBERS) {
    if (key[member] !== undefined) half[member] = key[member]
  }
  return half
}

function isKeySet(value: unknown): value is { keys: JWK[] } {
  return typeof value === 'object' && value !== null && 'keys' in value && Array.isArray(value.keys)
}
