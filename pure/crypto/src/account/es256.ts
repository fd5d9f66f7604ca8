import { joinBytes } from '../codecs/join-bytes.ts'
import type { CryptoPlatform } from '../platform.ts'
import type { Bytes, WebCryptoKey } from '../web-crypto.ts'
import type { P256Pair } from './p256.ts'

const CURVE = { name: 'ECDSA', namedCurve: 'P-256' } as const
const ES256 = { name: 'ECDSA', hash: 'SHA-256' } as const
const POINT_BYTES = 65
const SIGNATURE_BYTES = 64

// PKCS#8 of a P-256 key: everything before the number, and everything between the number and the point.
const BEFORE_SCALAR = Uint8Array.from([
  0x30, 0x81, 0x87, 2, 1, 0, 0x30, 0x13, 6, 7, 0x2a, 0x86, 0x48, 0xce, 0x3d, 2, 1, 6, 8, 0x2a, 0x86, 0x48, 0xce, 0x3d,
  3, 1, 7, 4, 0x6d, 0x30, 0x6b, 2, 1, 1, 4, 0x20,
])
const BEFORE_POINT = Uint8Array.of(0xa1, 0x44, 3, 0x42, 0)

/** Imports a key pair that signs with ES256. */
export function importSigner({ crypto }: CryptoPlatform, { scalar, point }: P256Pair): Promise<WebCryptoKey> {
  const pkcs8 = joinBytes([BEFORE_SCALAR, scalar, BEFORE_POINT, point])
  return crypto.subtle.importKey('pkcs8', pkcs8, CURVE, false, ['sign'])
}

/** 64 bytes: r and s, as in a JWS. */
export async function signEs256({ crypto }: CryptoPlatform, key: WebCryptoKey, content: Bytes): Promise<Bytes> {
  return new Uint8Array(await crypto.subtle.sign(ES256, key, content))
}

/** False also for a point that is not on the curve. */
export async function verifyEs256(
  { crypto }: CryptoPlatform,
  point: Bytes,
  signature: Bytes,
  content: Bytes,
): Promise<boolean> {
  if (point.length !== POINT_BYTES || point[0] !== 4 || signature.length !== SIGNATURE_BYTES) return false
  try {
    const key = await crypto.subtle.importKey('raw', point, CURVE, false, ['verify'])
    return await crypto.subtle.verify(ES256, key, signature, content)
  } catch {
    return false
  }
}
