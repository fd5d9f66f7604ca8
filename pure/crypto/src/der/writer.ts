import { joinBytes } from '../codecs/join-bytes.ts'
import type { Bytes } from '../web-crypto.ts'
import { TAG } from './reader.ts'

export function writeSequence(...parts: readonly Bytes[]): Bytes {
  return writeElement(TAG.sequence, joinBytes(parts))
}

export function writeOctets(content: Bytes): Bytes {
  return writeElement(TAG.octetString, content)
}

export function writeOid(content: Bytes): Bytes {
  return writeElement(TAG.oid, content)
}

export function writeNull(): Bytes {
  return writeElement(TAG.null, new Uint8Array())
}

/** A leading zero keeps a number whose first bit is set from being read as negative. */
export function writeInteger(value: number): Bytes {
  const digits = digitsOf(value)
  return writeElement(TAG.integer, Uint8Array.from((digits[0] ?? 0) >= 0x80 ? [0, ...digits] : digits))
}

/** The digits of a number that is not negative, as `unsignedOf` reads them. */
export function writeUnsigned(digits: Bytes): Bytes {
  return writeElement(TAG.integer, (digits[0] ?? 0x80) >= 0x80 ? joinBytes([Uint8Array.of(0), digits]) : digits)
}

/** A BIT STRING of whole bytes starts with a zero, the number of unused bits. */
export function writeBitString(content: Bytes): Bytes {
  return writeElement(TAG.bitString, joinBytes([Uint8Array.of(0), content]))
}

export function writeElement(tag: number, content: Bytes): Bytes {
  const { length } = content
  const size = length < 0x80 ? [length] : [0x80 | digitsOf(length).length, ...digitsOf(length)]
  return joinBytes([Uint8Array.from([tag, ...size]), content])
}

function digitsOf(value: number): readonly number[] {
  const rest = Math.floor(value / 256)
  return rest === 0 ? [value] : [...digitsOf(rest), value % 256]
}
