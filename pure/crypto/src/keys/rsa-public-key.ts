import { accept, decline, type Result } from '@sealpost/kernel'
import { encodeHex } from '../codecs/hex.ts'
import { isPlainAlgorithm, OID } from '../der/object-ids.ts'
import { childrenOf, type DerElement, readSequence, smallIntegerOf, TAG, unsignedOf } from '../der/reader.ts'
import type { CryptoPlatform } from '../platform.ts'
import type { Bytes } from '../web-crypto.ts'

export const MODULUS_BYTES = 256
export const PUBLIC_EXPONENT = 65_537
/** The text of an RSA-2048 key has 392 characters; longer text is refused before decoding. */
const TEXT_LIMIT = 400

/** The DER of a public key on the wire: base64 SubjectPublicKeyInfo, RSA, exactly 2048 bits, exponent 65537. */
export function readPublicKey({ base64 }: Pick<CryptoPlatform, 'base64'>, text: unknown): Bytes | null {
  const spki = typeof text === 'string' && text.length <= TEXT_LIMIT ? base64.decode(text) : null
  return spki !== null && isRsaSpki(spki) ? spki : null
}

/** The server's check before it stores a key that it will never use itself. */
export function isPublicKey(platform: Pick<CryptoPlatform, 'base64'>, text: unknown): text is string {
  return readPublicKey(platform, text) !== null
}

/** `public_key_sha256`: for comparison by people and pinning by clients. */
export async function fingerprintPublicKey(
  platform: CryptoPlatform,
  text: string,
): Promise<Result<string, 'not_a_public_key'>> {
  const spki = readPublicKey(platform, text)
  if (spki === null) return decline('not_a_public_key')
  return accept(encodeHex(new Uint8Array(await platform.crypto.subtle.digest('SHA-256', spki))))
}

/** An even number is no RSA modulus, and engines fail late on it: at the first encryption. */
export function isModulus(digits: Bytes | null): boolean {
  if (digits?.length !== MODULUS_BYTES) return false
  return (digits[0] ?? 0) >= 0x80 && (digits[MODULUS_BYTES - 1] ?? 0) % 2 === 1
}

function isRsaSpki(spki: Bytes): boolean {
  const [algorithm, key, ...others] = readSequence(spki) ?? []
  if (others.length > 0 || !isPlainAlgorithm(childrenOf(algorithm), OID.rsaEncryption)) return false
  const [modulus, exponent, ...more] = bitStringSequence(key) ?? []
  return more.length === 0 && isModulus(unsignedOf(modulus)) && smallIntegerOf(exponent) === PUBLIC_EXPONENT
}

/** A BIT STRING of whole bytes starts with a zero, the number of unused bits. */
function bitStringSequence(element: DerElement | undefined): readonly DerElement[] | null {
  if (element?.tag !== TAG.bitString || element.content[0] !== 0) return null
  return readSequence(element.content.subarray(1))
}
