import { type Clock, createBoundedCache } from '@sealpost/kernel'
import { refuse } from '@sealpost/protocol'
import { createLocalJWKSet, errors, type JWK, type JWTVerifyGetKey, jwtVerify } from 'jose'
import { AUDIENCE, type AccessClaims, parseClaims } from './claims.ts'

export interface KeyRingOptions {
  readonly clock: Clock
  /** Loads the published keys; called again when a token names an unknown key. */
  loadKeys(): Promise<readonly JWK[]>
}

export interface VerifierOptions extends KeyRingOptions {
  readonly issuer: string
  /** The number of verified tokens to cache. */
  readonly remembered?: number
}

export interface TokenVerifier {
  /** Synchronous for a token seen before: the common case costs one lookup. Throws the 401 refusals. */
  verify(token: string): AccessClaims | Promise<AccessClaims>
  /** Loads the keys now. Tokens of a key that is no longer published are then refused, cached or not. */
  reloadKeys(): Promise<void>
}

const RELOAD_AT_MOST_EVERY_MS = 5000
const LONGEST_TOKEN = 4096

/**
 * Verified tokens are cached: a signature check costs a hundred times a map lookup, and a client sends the same token
 * for an hour. Only the immutable parts are cached (signature, claims); expiry is checked at every call, and the gates
 * check revocation, not this verifier.
 */
export function createTokenVerifier(options: VerifierOptions): TokenVerifier {
  const seen = createBoundedCache<string, AccessClaims>({ most: options.remembered ?? 50_000 })
  const keys = createKeyRing(options, () => seen.clear())
  async function check(token: string): Promise<AccessClaims> {
    const claims = await checkSignature(token, keys.find, options)
    seen.set(token, claims)
    return claims
  }
  return {
    verify(token) {
      if (token.length > LONGEST_TOKEN) throw refuse('auth.token_invalid')
      const known = seen.get(token)
      if (known === undefined) return check(token)
      if (known.expiresAt > options.clock.now()) return known
      seen.delete(token)
      throw refuse('auth.expired')
    },
    reloadKeys: () => keys.reload(),
  }
}

async function checkSignature(token: string, keys: JWTVerifyGetKey, options: VerifierOptions): Promise<AccessClaims> {
  try {
    const { payload } = await jwtVerify(token, keys, {
      issuer: options.issuer,
      audience: AUDIENCE,
      typ: 'at+jwt',
      algorithms: ['ES256'],
      requiredClaims: ['exp', 'iat', 'jti'],
      currentDate: new Date(options.clock.now()),
    })
    return parseClaims(payload)
  } catch (error) {
    if (error instanceof errors.JWTExpired) throw refuse('auth.expired')
    if (error instanceof errors.JOSEError) throw refuse('auth.token_invalid')
    throw error
  }
}

/** Published keys by their id, for `jwtVerify`. */
export interface KeyRing {
  readonly find: JWTVerifyGetKey
  reload(): Promise<void>
}

interface LoadedKeys {
  readonly keySet: JWTVerifyGetKey
  readonly text: string
  readonly loadedAtMs: number
}

/** Loads the keys on first use and again when an unknown `kid` appears, but for that reason at most every 5 s. */
export function createKeyRing(options: KeyRingOptions, onChange: () => void): KeyRing {
  let current: LoadedKeys | null = null
  let loading: Promise<LoadedKeys> | null = null
  async function load(): Promise<LoadedKeys> {
    const keys = await options.loadKeys()
    const text = JSON.stringify(keys)
    if (current !== null && current.text !== text) onChange()
    current = { keySet: createLocalJWKSet({ keys: [...keys] }), text, loadedAtMs: options.clock.now() }
    return current
  }
  function reload(): Promise<LoadedKeys> {
    loading ??= load().finally(() => {
      loading = null
    })
    return loading
  }
  return {
    async find(header, input) {
      const known = current ?? (await reload())
      try {
        return await known.keySet(header, input)
      } catch (error) {
        const isFresh = options.clock.now() - known.loadedAtMs < RELOAD_AT_MOST_EVERY_MS
        if (!(error instanceof errors.JWKSNoMatchingKey) || isFresh) throw error
        return (await reload()).keySet(header, input)
      }
    },
    async reload() {
      await reload()
    },
  }
}
