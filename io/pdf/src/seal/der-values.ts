import type { Bytes } from '@sealpost/crypto'
import { joinBytes } from '@sealpost/crypto'
import { writeElement, writeNull, writeOid, writeSequence } from '@sealpost/crypto/der'
import { OIDS } from '@sealpost/pdf-format'

export function oid(dotted: string): Bytes {
  const [first = 0, second = 0, ...others] = dotted.split('.').map(Number)
  return writeOid(Uint8Array.from([first * 40 + second, ...others].flatMap(base128)))
}

/** An AlgorithmIdentifier; RSA and hashes have a NULL as their parameters, ECDSA none. */
export function algorithm(dotted: string): Bytes {
  return dotted === OIDS.ecdsaWithSha256 ? writeSequence(oid(dotted)) : writeSequence(oid(dotted), writeNull())
}

/** DER orders the members of a set by their bytes. */
export function setOf(members: readonly Bytes[], tag = 0x31): Bytes {
  return writeElement(tag, joinBytes(members.toSorted((one, other) => Buffer.compare(one, other))))
}

function base128(value: number): number[] {
  const digits = [value & 0x7f]
  for (let rest = Math.floor(value / 128); rest > 0; rest = Math.floor(rest / 128)) digits.unshift((rest & 0x7f) | 0x80)
  return digits
}
