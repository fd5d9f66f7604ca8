import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { type Bytes, joinBytes } from '@sealpost/crypto'
import { writeElement, writeInteger, writeOctets, writeSequence } from '@sealpost/crypto/der'
import { OIDS } from '@sealpost/pdf-format'
import { algorithm, oid } from '../seal/der-values.ts'

/** A seal for tests and development, and the root that issued it; all in PEM. */
export interface TestSeal {
  readonly certificate: string
  readonly key: string
  readonly root: string
}

export interface SealWish {
  /** `YYMMDD`; years that tests with a clock of their own stay in, unless told. */
  readonly from?: string
  readonly to?: string
}

/** Without OpenSSL: every test process makes one. The certificates are P-256. */
export function makeSeal({ from = '200101', to = '491231' }: SealWish = {}): TestSeal {
  const [issuer, own] = [makeKeys(), makeKeys()]
  const validity = writeSequence(...[from, to].map((day) => writeElement(UTC_TIME, ascii(`${day}000000Z`))))
  const rootName = nameOf('Sealpost test', 'Test root')
  const root = certify(
    { serial: 1, subject: rootName, key: issuer.publicKey, extensions: [isAuthority(true), mayUse(0x06, 1)] },
    { name: rootName, key: issuer.privateKey, validity },
  )
  const subject = nameOf('Sealpost test', 'Test seal')
  const certificate = certify(
    { serial: 2, subject, key: own.publicKey, extensions: [isAuthority(false), mayUse(0xc0, 6)] },
    { name: rootName, key: issuer.privateKey, validity },
  )
  const key = own.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  return { certificate: pem(certificate), key, root: pem(root) }
}

const BOOLEAN = 0x01
const BIT_STRING = 0x03
const UTF8_STRING = 0x0c
const UTC_TIME = 0x17
const SET = 0x31
const VERSION_3 = writeElement(0xa0, writeInteger(2))
const KEY_USAGE = '2.5.29.15'

interface Subject {
  readonly serial: number
  readonly subject: Bytes
  readonly key: KeyObject
  readonly extensions: readonly Bytes[]
}

interface Issuer {
  readonly name: Bytes
  readonly key: KeyObject
  readonly validity: Bytes
}

function certify({ serial, subject, key, extensions }: Subject, { name, key: signer, validity }: Issuer): Bytes {
  const how = algorithm(OIDS.ecdsaWithSha256)
  const spki = Uint8Array.from(key.export({ type: 'spki', format: 'der' }))
  const more = writeElement(0xa3, writeSequence(...extensions))
  const body = writeSequence(VERSION_3, writeInteger(serial), how, name, validity, subject, spki, more)
  return writeSequence(body, how, bits(Uint8Array.from(sign('sha256', body, signer)), 0))
}

function makeKeys(): { readonly publicKey: KeyObject; readonly privateKey: KeyObject } {
  return generateKeyPairSync('ec', { namedCurve: 'P-256' })
}

function nameOf(organization: string, commonName: string): Bytes {
  return writeSequence(namePart(OIDS.organization, organization), namePart(OIDS.commonName, commonName))
}

function namePart(type: string, text: string): Bytes {
  return writeElement(SET, writeSequence(oid(type), writeElement(UTF8_STRING, ascii(text))))
}

function isAuthority(yes: boolean): Bytes {
  return critical(OIDS.basicConstraints, yes ? writeSequence(TRUE) : writeSequence())
}

function mayUse(usage: number, unusedBits: number): Bytes {
  return critical(KEY_USAGE, bits(Uint8Array.of(usage), unusedBits))
}

const TRUE = writeElement(BOOLEAN, Uint8Array.of(0xff))

function critical(type: string, value: Bytes): Bytes {
  return writeSequence(oid(type), TRUE, writeOctets(value))
}

function bits(content: Bytes, unused: number): Bytes {
  return writeElement(BIT_STRING, joinBytes([Uint8Array.of(unused), content]))
}

function ascii(text: string): Bytes {
  return Uint8Array.from(Buffer.from(text, 'latin1'))
}

function pem(der: Bytes): string {
  const lines =
    Buffer.from(der)
      .toString('base64')
      .match(/.{1,64}/g) ?? []
  return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n')
}
