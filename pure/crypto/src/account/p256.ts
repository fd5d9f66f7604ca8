import { p256 } from '@noble/curves/nist.js'
import type { Bytes } from '../web-crypto.ts'

// WebCrypto cannot compute the public point of a given secret number, and some browsers refuse a private key without it.
// This is done once per account and device, and signs nothing itself.

export interface P256Pair {
  /** 32 bytes. */
  readonly scalar: Bytes
  /** Uncompressed: 4, x, y; 65 bytes. */
  readonly point: Bytes
}

/**
 * The key pair of a seed of 48 bytes: the number is the seed modulo the order less one, plus one (FIPS 186-5, A.2.1), so
 * every number is equally likely.
 */
export function pairFromSeed(seed: Bytes): P256Pair {
  const scalar = Uint8Array.from(p256.utils.randomSecretKey(seed))
  return { scalar, point: Uint8Array.from(p256.getPublicKey(scalar, false)) }
}
