import type { Bytes } from '../web-crypto.ts'
import { type DerElement, TAG } from './reader.ts'

/** Encoded once, as they appear in the files. */
export const OID = {
  /** 1.2.840.113549.1.1.1 */
  rsaEncryption: Uint8Array.of(0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, 0x01),
  /** 1.2.840.113549.1.5.12 */
  pbkdf2: Uint8Array.of(0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x05, 0x0c),
  /** 1.2.840.113549.1.5.13 */
  pbes2: Uint8Array.of(0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x05, 0x0d),
  /** 1.2.840.113549.2.9 */
  hmacWithSha256: Uint8Array.of(0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x02, 0x09),
  /** 2.16.840.1.101.3.4.1.42 */
  aes256Cbc: Uint8Array.of(0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x01, 0x2a),
} as const satisfies Record<string, Bytes>

export function isOid(element: DerElement | undefined, oid: Uint8Array): boolean {
  if (element?.tag !== TAG.oid || element.content.length !== oid.length) return false
  return element.content.every((byte, at) => byte === oid[at])
}

export function isNull(element: DerElement | undefined): boolean {
  return element?.tag === TAG.null && element.content.length === 0
}

/** An AlgorithmIdentifier with NULL parameters: `SEQUENCE { OID, NULL }`. */
export function isPlainAlgorithm(children: readonly DerElement[] | null, oid: Uint8Array): boolean {
  return children?.length === 2 && isOid(children[0], oid) && isNull(children[1])
}
