import { type Bytes, joinBytes } from '@sealpost/crypto'
import {
  writeBitString,
  writeElement,
  writeInteger,
  writeNull,
  writeOctets,
  writeOid,
  writeSequence,
} from '@sealpost/crypto/der'
import { bytesOf } from '../../reader/characters.ts'
import { OIDS } from '../object-ids.ts'

/** A key pair of the host. */
export interface TestKey {
  /** SubjectPublicKeyInfo. */
  readonly spki: Bytes
  /** The OID of the algorithm with which it signs. */
  readonly algorithm: string
  sign(content: Bytes): Bytes
}

export interface CertificateWish {
  readonly subject: string
  readonly key: TestKey
  readonly issuer: { readonly name: string; readonly key: TestKey }
  readonly serial?: number
  /** UTCTime: `YYMMDD`. */
  readonly from?: string
  readonly to?: string
  readonly extensions?: readonly Bytes[]
}

/** An X.509 certificate of version 3. */
export function writeCertificate(wish: CertificateWish): Bytes {
  const { subject, key, issuer, serial = 1, from = '200101', to = '391231', extensions = [] } = wish
  const how = algorithm(issuer.key.algorithm)
  const body = writeSequence(
    writeElement(0xa0, writeInteger(2)),
    writeInteger(serial),
    how,
    nameOf(issuer.name),
    writeSequence(utcTime(from), utcTime(to)),
    nameOf(subject),
    key.spki,
    ...(extensions.length === 0 ? [] : [writeElement(0xa3, writeSequence(...extensions))]),
  )
  return writeSequence(body, how, writeBitString(issuer.key.sign(body)))
}

export function oid(dotted: string): Bytes {
  const [first = 0, second = 0, ...others] = dotted.split('.').map(Number)
  return writeOid(Uint8Array.from([first * 40 + second, ...others].flatMap(base128)))
}

function base128(value: number): readonly number[] {
  const digits = [value & 0x7f]
  for (let rest = Math.floor(value / 128); rest > 0; rest = Math.floor(rest / 128)) digits.unshift((rest & 0x7f) | 0x80)
  return digits
}

export function algorithm(dotted: string): Bytes {
  return dotted.startsWith('1.2.840.10045.') ? writeSequence(oid(dotted)) : writeSequence(oid(dotted), writeNull())
}

export function utcTime(day: string): Bytes {
  return writeElement(0x17, bytesOf(`${day}000000Z`))
}

export function longTime(time: string): Bytes {
  return writeElement(0x18, bytesOf(time))
}

/** An organization, `Sealpost test`, and a common name. */
export function nameOf(commonName: string): Bytes {
  return writeSequence(namePart(OIDS.organization, 'Sealpost test'), namePart(OIDS.commonName, commonName))
}

function namePart(type: string, text: string): Bytes {
  return writeElement(0x31, writeSequence(oid(type), writeElement(0x0c, utf8(text))))
}

function utf8(text: string): Bytes {
  return bytesOf(
    encodeURIComponent(text).replaceAll(/%(..)/g, (_, pair: string) => String.fromCharCode(parseInt(pair, 16))),
  )
}

export const TRUE = writeElement(0x01, Uint8Array.of(0xff))

export function extension(type: string, value: Bytes, isCritical = true): Bytes {
  return writeSequence(oid(type), ...(isCritical ? [TRUE] : []), writeOctets(value))
}

export const AUTHORITY = extension(OIDS.basicConstraints, writeSequence(TRUE))
export const NO_AUTHORITY = extension(OIDS.basicConstraints, writeSequence())

/** One byte of flags, the highest is the first. */
export function keyUsage(flags: number): Bytes {
  return extension(OIDS.keyUsage, writeElement(0x03, Uint8Array.of(0, flags)))
}

export function purposes(...dotted: readonly string[]): Bytes {
  return extension(OIDS.extendedKeyUsage, writeSequence(...dotted.map(oid)))
}

/** A DistributionPointName with addresses. */
export function fullName(...urls: readonly string[]): Bytes {
  return writeElement(0xa0, writeElement(0xa0, joinBytes(urls.map((url) => writeElement(0x86, bytesOf(url))))))
}

/** Points are what is inside of each. */
export function listPoints(...points: readonly Bytes[]): Bytes {
  return extension(OIDS.listDistributionPoints, writeSequence(...points.map((point) => writeSequence(point))), false)
}
