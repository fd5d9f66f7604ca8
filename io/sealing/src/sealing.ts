import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import { findKey, type Keyring, type NamedKey } from '@sealpost/kernel'

/**
 * A sealed value in a database: `bytes` is nonce, ciphertext and tag; the key's id is stored beside it, so that keys
 * can change.
 */
export interface Sealed {
  readonly keyId: string
  readonly bytes: Uint8Array
}

export class SealingError extends Error {
  override readonly name = 'SealingError'
}

const CIPHER = 'aes-256-gcm'
const NONCE_BYTES = 12
const TAG_BYTES = 16

/**
 * AES-256-GCM under the ring's active key. `context` names the kind of value and its owner (`login.totp:<user id>`): it
 * is authenticated and not stored, so a row moved to another owner does not open there.
 */
export function sealUnder(keyring: Keyring, plaintext: string | Uint8Array, context: string): Sealed {
  // Never from a source that a caller can set: two seals with one nonce would reveal both.
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv(CIPHER, cipherKey(keyring.active), nonce)
  cipher.setAAD(Buffer.from(context))
  const hidden = Buffer.concat([cipher.update(plaintext), cipher.final()])
  return { keyId: keyring.active.id, bytes: Buffer.concat([nonce, hidden, cipher.getAuthTag()]) }
}

/** Throws a `SealingError` when the key has left the ring, or when bytes or context differ from the sealed ones. */
export function openUnder(keyring: Keyring, { keyId, bytes }: Sealed, context: string): Buffer {
  const key = findKey(keyring, keyId)
  if (key === null) {
    throw new SealingError(
      `the key ${keyId} is not in the ring; list it as the second key until everything is rewrapped`,
    )
  }
  if (bytes.length < NONCE_BYTES + TAG_BYTES) throw new SealingError('too short to have been sealed here')
  const decipher = createDecipheriv(CIPHER, cipherKey(key), bytes.subarray(0, NONCE_BYTES))
  decipher.setAAD(Buffer.from(context))
  decipher.setAuthTag(bytes.subarray(-TAG_BYTES))
  try {
    return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()])
  } catch (error) {
    throw new SealingError('the sealed value does not open: it was changed, or belongs to another row', {
      cause: error,
    })
  }
}

/** The same content under the active key; null when it already is. */
export function resealUnder(keyring: Keyring, sealed: Sealed, context: string): Sealed | null {
  if (sealed.keyId === keyring.active.id) return null
  return sealUnder(keyring, openUnder(keyring, sealed, context), context)
}

/** A setting is text of any length, and other uses of the same ring must not share the cipher's key. */
function cipherKey({ key }: NamedKey): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', key.reveal(), '', 'sealpost sealing', 32))
}
