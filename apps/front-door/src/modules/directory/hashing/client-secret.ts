import { createHmac, timingSafeEqual } from 'node:crypto'
import { findKey, type Keyring, type NamedKey, type Secret } from '@sealpost/kernel'

/** A client secret at rest: only its keyed hash, beside the id of the key that made it. */
export interface SecretHash {
  readonly keyId: string
  readonly hash: Uint8Array
}

export function hashSecret(pepper: Keyring, secret: Secret<string>): SecretHash {
  return { keyId: pepper.active.id, hash: keyedHash(pepper.active, secret) }
}

/** Compares in constant time. A hash under a key that has left the ring never matches. */
export function matchesSecret(pepper: Keyring, stored: SecretHash, presented: Secret<string>): boolean {
  const key = findKey(pepper, stored.keyId)
  if (key === null) return false
  const hash = keyedHash(key, presented)
  return hash.length === stored.hash.length && timingSafeEqual(hash, stored.hash)
}

function keyedHash(named: NamedKey, secret: Secret<string>): Buffer {
  return createHmac('sha256', named.key.reveal()).update(secret.reveal()).digest()
}
