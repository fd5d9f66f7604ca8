import { Secret } from '@sealpost/kernel'
import { type CryptoKey, importJWK, type JWK } from 'jose'

/** The private keys that sign access tokens and passes (ES256) and ID tokens (RS256), newest first; `/oauth2/jwks` publishes their public halves. */
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

const ALGORITHM = 'ES256'

/** The key that signs access tokens and passes; it is imported once. */
export function findSigningKey({ privateKeys }: SigningKeys): {
  readonly kid: string
  readonly importing: Promise<CryptoKey>
} {
  const active = privateKeys.reveal().find(({ alg }) => alg === ALGORITHM)
  if (active?.kid === undefined) throw new Error(`SIGNING_KEYS has no ${ALGORITHM} key with a kid`)
  return { kid: active.kid, importing: importKey(active) }
}

async function importKey(jwk: JWK): Promise<CryptoKey> {
  const key = await importJWK(jwk, ALGORITHM)
  if (key instanceof Uint8Array) throw new Error(`the ${ALGORITHM} key of SIGNING_KEYS is not an elliptic-curve key`)
  return key
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
