import { type Bytes, encodeHex } from '@sealpost/crypto'
import { type DerElement, readElements, writeElement } from '@sealpost/crypto/der'

/** Bytes that are not the ASN.1 they should be; caught by the functions that the package exports. */
export class MalformedSeal extends Error {
  override readonly name = 'MalformedSeal'
}

export type { DerElement }

export const SET = 0x31
export const UTC_TIME = 0x17
export const GENERALIZED_TIME = 0x18

/** The tag of `[number]` with elements inside. */
export function contextTag(number: number): number {
  return 0xa0 + number
}

export function readOne(bytes: Bytes): DerElement {
  const [only, ...others] = readElements(bytes) ?? []
  if (only === undefined || others.length > 0) throw new MalformedSeal('not one DER element')
  return only
}

/** The elements inside; an element with another tag is malformed. */
export function insideOf(element: DerElement | undefined, tag: number): readonly DerElement[] {
  const inside = element?.tag === tag ? readElements(element.content) : null
  if (inside === null) throw new MalformedSeal(`no element with tag ${tag}`)
  return inside
}

export function contentOf(element: DerElement | undefined, tag: number): Bytes {
  if (element?.tag !== tag) throw new MalformedSeal(`no element with tag ${tag}`)
  return element.content
}

/** As it is in the file: DER has one encoding for each value. */
export function encodingOf({ tag, content }: DerElement): Bytes {
  return writeElement(tag, content)
}

export function isSame(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((byte, at) => byte === other[at])
}

/** `1.2.840.113549.1.7.2` */
export function oidOf(element: DerElement | undefined): string {
  const bytes = contentOf(element, 6)
  const parts: number[] = []
  let value = 0
  for (const byte of bytes) {
    value = value * 128 + (byte & 0x7f)
    if (byte >= 0x80) continue
    parts.push(value)
    value = 0
  }
  const [first = 0, ...others] = parts
  const root = Math.min(2, Math.floor(first / 40))
  return [root, first - root * 40, ...others].join('.')
}

/** Milliseconds since 1970 of a UTCTime or GeneralizedTime. */
export function timeOf(element: DerElement | undefined): number {
  const text = String.fromCharCode(...(element?.content ?? []))
  const isShort = element?.tag === UTC_TIME
  const found = (isShort ? SHORT_TIME : LONG_TIME).exec(text)
  if (found === null || (!isShort && element?.tag !== GENERALIZED_TIME)) throw new MalformedSeal('not a time')
  const [, year = '', month = '', day = '', hour = '', minute = '', second = '', fraction = ''] = found
  const fullYear = isShort ? `${Number(year) >= 50 ? 19 : 20}${year}` : year
  const ms = Date.parse(`${fullYear}-${month}-${day}T${hour}:${minute}:${second}Z`)
  if (Number.isNaN(ms)) throw new MalformedSeal('not a time')
  return ms + (fraction === '' ? 0 : Math.floor(Number(`0.${fraction}`) * 1000))
}

const SHORT_TIME = /^(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)Z$/
const LONG_TIME = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(?:\.(\d{1,9}))?Z$/

export function hexOf(bytes: Uint8Array): string {
  return encodeHex(bytes)
}
