import type { Bytes } from '../web-crypto.ts'

/**
 * Reads the subset of DER that keys consist of. Every function returns null for input that is not DER: one-byte tags,
 * definite lengths in their shortest form, nothing left over. It never reads beyond the bytes and never recurses, so
 * its work is linear in the input.
 */
export interface DerElement {
  readonly tag: number
  readonly content: Bytes
}

export const TAG = { integer: 0x02, bitString: 0x03, octetString: 0x04, null: 0x05, oid: 0x06, sequence: 0x30 } as const

/** The children of a single SEQUENCE that spans all bytes. */
export function readSequence(bytes: Bytes): readonly DerElement[] | null {
  const [only, ...others] = readElements(bytes) ?? []
  return only === undefined || others.length > 0 ? null : childrenOf(only)
}

export function childrenOf(element: DerElement | undefined): readonly DerElement[] | null {
  return element?.tag === TAG.sequence ? readElements(element.content) : null
}

export function octetsOf(element: DerElement | undefined): Bytes | null {
  return element?.tag === TAG.octetString ? element.content : null
}

/** The digits of an INTEGER that is not negative, without leading zeros. */
export function unsignedOf(element: DerElement | undefined): Bytes | null {
  if (element?.tag !== TAG.integer) return null
  const [first, second = 0] = element.content
  if (first === undefined || first >= 0x80) return null
  if (first !== 0) return element.content
  const isShortest = element.content.length === 1 || second >= 0x80
  return isShortest ? element.content.subarray(1) : null
}

/** An INTEGER that fits in 31 bits. */
export function smallIntegerOf(element: DerElement | undefined): number | null {
  const digits = unsignedOf(element)
  if (digits === null || digits.length > 4) return null
  const value = digits.reduce((sum, digit) => sum * 256 + digit, 0)
  return value <= 0x7fffffff ? value : null
}

/** Elements one after the other: the content of a constructed element. */
export function readElements(bytes: Bytes): readonly DerElement[] | null {
  const elements: DerElement[] = []
  let at = 0
  while (at < bytes.length) {
    const next = readElement(bytes, at)
    if (next === null) return null
    elements.push(next.element)
    at = next.end
  }
  return elements
}

function readElement(bytes: Bytes, at: number): { readonly element: DerElement; readonly end: number } | null {
  const tag = bytes[at]
  const size = readSize(bytes, at + 1)
  if (tag === undefined || (tag & 0x1f) === 0x1f || size === null) return null
  const end = size.end + size.value
  if (end > bytes.length) return null
  return { element: { tag, content: bytes.subarray(size.end, end) }, end }
}

function readSize(bytes: Bytes, at: number): { readonly value: number; readonly end: number } | null {
  const first = bytes[at]
  if (first === undefined || first === 0x80 || first > 0x83) return null
  if (first < 0x80) return { value: first, end: at + 1 }
  const end = at + 1 + (first & 0x7f)
  const digits = bytes.subarray(at + 1, end)
  const value = digits.reduce((sum, digit) => sum * 256 + digit, 0)
  const isShortest = digits[0] !== 0 && value >= 0x80
  return end <= bytes.length && isShortest ? { value, end } : null
}
