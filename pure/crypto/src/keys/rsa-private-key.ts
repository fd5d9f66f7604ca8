import { encodeHex } from '../codecs/hex.ts'
import { isPlainAlgorithm, OID } from '../der/object-ids.ts'
import { childrenOf, type DerElement, octetsOf, readSequence, smallIntegerOf, unsignedOf } from '../der/reader.ts'
import type { Bytes } from '../web-crypto.ts'
import { isModulus, PUBLIC_EXPONENT } from './rsa-public-key.ts'

/** An RSA-2048 key takes about 1218 bytes; larger input is refused before any arithmetic. */
const SIZE_LIMIT = 4096

/**
 * PKCS#8 of an RSA key with 2048 bits whose numbers are consistent.
 *
 * [Note: numbers that belong together] An encrypted PEM carries no tag: after a changed byte, or under a wrong
 * passphrase whose padding happens to fit, decryption still returns bytes. Engines import them without an error and
 * fail at the first value, or worse. Checking the equations of RSA detects every change.
 */
export function isPrivateKey(pkcs8: Bytes): boolean {
  const [version, algorithm, key, ...attributes] = pkcs8.length <= SIZE_LIMIT ? (readSequence(pkcs8) ?? []) : []
  if (attributes.length > 0 || smallIntegerOf(version) !== 0) return false
  if (!isPlainAlgorithm(childrenOf(algorithm), OID.rsaEncryption)) return false
  const octets = octetsOf(key)
  const numbers = octets === null ? null : readSequence(octets)
  return numbers !== null && belongTogether(numbers)
}

/** RSAPrivateKey: version, n, e, d, p, q, d mod p-1, d mod q-1, 1/q mod p. */
function belongTogether(elements: readonly DerElement[]): boolean {
  if (elements.length !== 9 || !isModulus(unsignedOf(elements[1]))) return false
  const [version, n, e, d, p, q, dp, dq, qInverse] = elements.map(numberOf)
  if (version !== 0n || e !== BigInt(PUBLIC_EXPONENT)) return false
  if (!isNumber(n) || !isNumber(d) || !isFactor(p) || !isFactor(q) || !isNumber(qInverse)) return false
  if (n !== p * q || dp !== d % (p - 1n) || dq !== d % (q - 1n)) return false
  return (e * d) % (p - 1n) === 1n && (e * d) % (q - 1n) === 1n && (q * qInverse) % p === 1n
}

function numberOf(element: DerElement): bigint | null {
  const digits = unsignedOf(element)
  if (digits === null) return null
  return digits.length === 0 ? 0n : BigInt(`0x${encodeHex(digits)}`)
}

function isNumber(value: bigint | null | undefined): value is bigint {
  return typeof value === 'bigint'
}

/** Above 2: the modulus p-1 must not be zero. */
function isFactor(value: bigint | null | undefined): value is bigint {
  return isNumber(value) && value > 2n
}
