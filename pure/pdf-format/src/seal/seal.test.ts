import { createHash, generateKeyPairSync, sign } from 'node:crypto'
import { type Bytes, createUtf8Codec } from '@sealpost/crypto'
import { writeElement, writeInteger, writeOctets, writeSequence } from '@sealpost/crypto/der'
import { describe, expect, test } from 'vitest'
import { OIDS, verifySeal } from '../index.ts'
import {
  AUTHORITY,
  extension,
  fullName,
  type HashOf,
  keyUsage,
  listPoints,
  type ListWish,
  namingV2,
  oid,
  purposes,
  type SignedDataWish,
  type TestKey,
  type TokenWish,
  utcTime,
  writeCertificate,
  writeRevocationList,
  writeSealedFile,
  writeSignedData,
  writeToken,
} from './testing/index.ts'

const host = { crypto: globalThis.crypto, utf8: createUtf8Codec(globalThis) }
const hash: HashOf = (name, content) => Uint8Array.from(createHash(name).update(content).digest())
const bytes = (text: string): Bytes => Uint8Array.from(Buffer.from(text, 'utf8'))

function ecKey(namedCurve = 'P-256', digest = 'sha256', algorithm: string = OIDS.ecdsaWithSha256): TestKey {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve })
  const spki = Uint8Array.from(publicKey.export({ type: 'spki', format: 'der' }))
  return { spki, algorithm, sign: (content) => Uint8Array.from(sign(digest, content, privateKey)) }
}

function rsaKey(digest = 'sha256', algorithm: string = OIDS.sha256WithRsa): TestKey {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const spki = Uint8Array.from(publicKey.export({ type: 'spki', format: 'der' }))
  return { spki, algorithm, sign: (content) => Uint8Array.from(sign(digest, content, privateKey)) }
}

const rootKey = ecKey()
const root = { name: 'Test root', key: rootKey }
const rootCertificate = writeCertificate({
  subject: root.name,
  key: rootKey,
  issuer: root,
  extensions: [AUTHORITY, keyUsage(0x06)],
})
const LIST_URL = 'http://lists.example/root.crl'
const sealKey = ecKey()
const sealWish = {
  subject: 'Test seal',
  key: sealKey,
  issuer: root,
  serial: 2,
  extensions: [listPoints(fullName(LIST_URL))],
}
const sealCertificate = writeCertificate(sealWish)
const tsaKey = ecKey()
const tsaWish = {
  subject: 'Test time',
  key: tsaKey,
  issuer: root,
  serial: 3,
  extensions: [purposes(OIDS.timeStamping)],
}
const tsaCertificate = writeCertificate(tsaWish)

const SIGNED = bytes('%PDF-1.7 the file that was signed')
const SEALED_AT = '2026-05-01T12:00:00.000+00:00'
const record = {
  format: 1,
  document_id: 'doc_7',
  document_name: 'Terms',
  signed_sha256: Buffer.from(hash('sha256', SIGNED)).toString('hex'),
  sealed_at: SEALED_AT,
  acts: [],
}

interface Wish {
  readonly data?: Partial<SignedDataWish>
  /** Undefined: no time-stamp. */
  readonly token?: Partial<TokenWish>
  readonly lists?: readonly Bytes[]
  readonly record?: unknown
}

function sealed({ data, token, lists = [], record: written = record }: Wish = {}): Bytes {
  return writeSealedFile({
    signed: SIGNED,
    record: typeof written === 'string' ? bytes(written) : bytes(JSON.stringify(written)),
    lists,
    sign: (content) => {
      const wish = {
        hash,
        content,
        key: sealKey,
        certificates: [sealCertificate],
        issuer: root.name,
        serial: 2,
        ...data,
      }
      if (token === undefined) return writeSignedData(wish)
      let signature: Bytes = new Uint8Array()
      const key = { ...wish.key, sign: (signed: Bytes) => (signature = wish.key.sign(signed)) }
      writeSignedData({ ...wish, key })
      const fixed = { ...wish.key, sign: () => signature }
      return writeSignedData({ ...wish, key: fixed, unsigned: { [OIDS.timeStampToken]: tokenOver(signature, token) } })
    },
  })
}

function tokenOver(stamped: Bytes, wish: Partial<TokenWish>): Bytes {
  const own = { hash, key: tsaKey, certificates: [tsaCertificate], issuer: root.name, serial: 3 }
  return writeToken({ ...own, imprint: hash('sha256', stamped), ...wish })
}

const TRUST = { certificates: [rootCertificate], timestampCertificates: [rootCertificate] }

async function verify(file: Bytes, trust: Parameters<typeof verifySeal>[2] = TRUST) {
  const outcome = await verifySeal(host, file, trust)
  return outcome.ok ? outcome.value : outcome.refusal
}

const fingerprint = (certificate: Bytes) => Buffer.from(hash('sha256', certificate)).toString('hex')
const party = (name: string, certificate: Bytes) => ({
  name,
  organization: 'Sealpost test',
  fingerprint: fingerprint(certificate),
})

test('a sealed file says all that it is', async () => {
  expect(await verify(sealed())).toEqual({
    isIntact: true,
    coversWholeFile: true,
    bytesAfterSeal: 0,
    isTrusted: true,
    sealedBy: party('Test seal', sealCertificate),
    sealedAt: Date.parse(SEALED_AT),
    timestamp: null,
    revocation: [],
    record,
    signedSha256: record.signed_sha256,
    isSignedContent: true,
  })
})

describe('the file', () => {
  test('with other signed bytes, more or fewer bytes', async () => {
    const file = sealed()
    expect(await verify(Uint8Array.from(file, (byte, at) => (at === 5 ? byte ^ 1 : byte)))).toMatchObject({
      isIntact: false,
      isSignedContent: false,
      coversWholeFile: true,
    })
    expect(await verify(Uint8Array.from([...file, 0x20, 0x20]))).toMatchObject({
      isIntact: false,
      coversWholeFile: false,
      bytesAfterSeal: 2,
    })
    expect(await verify(file.slice(0, -3))).toMatchObject({
      isIntact: false,
      coversWholeFile: false,
      bytesAfterSeal: 0,
    })
  })

  test('whose signature has other data behind it, or is cut off, or is none', async () => {
    const file = Buffer.from(sealed())
    const contents = file.lastIndexOf('/Contents<') + 10
    const changed = (at: number, text: string) => {
      const copy = Buffer.from(file)
      copy.write(text, at, 'latin1')
      return verify(Uint8Array.from(copy))
    }
    const end = file.lastIndexOf('>>>')
    expect(await changed(end - 1, '1')).toBe('malformed_seal')
    expect(await changed(end - 1, 'x')).toBe('malformed_seal')
    expect(await changed(contents, '31')).toBe('malformed_seal')
    expect(await changed(contents, '3080')).toBe('malformed_seal')
    expect(await changed(contents, '3003')).toBe('malformed_seal')
    expect(await changed(contents, '3084')).toBe('malformed_seal')
    expect(await changed(contents, '3083ffffff')).toBe('malformed_seal')
    expect(await changed(contents + 4, 'ffff')).toBe('malformed_seal')
    // Digits in capitals are the same digits.
    const hex = file.toString('latin1', contents, end)
    expect(await changed(contents, hex.toUpperCase())).toMatchObject({ isIntact: true })
  })

  test('with a record that cannot be read', async () => {
    for (const written of ['no json', { ...record, format: 2 }])
      expect(await verify(sealed({ record: written }))).toMatchObject({
        isIntact: true,
        isTrusted: false,
        record: null,
        sealedAt: null,
        isSignedContent: false,
      })
    expect(await verify(sealed({ record: { ...record, sealed_at: 'noon' } }))).toMatchObject({
      sealedAt: null,
      isTrusted: false,
    })
    expect(await verify(sealed({ record: { ...record, signed_sha256: '00' } }))).toMatchObject({
      isSignedContent: false,
    })
  })

  test('without a seal', async () => {
    expect(await verify(SIGNED)).toBe('no_seal')
  })
})

describe('keys and hashes', () => {
  const keys = [
    ['P-256', ecKey()],
    ['P-384', ecKey('P-384', 'sha384', '1.2.840.10045.4.3.3')],
    ['P-521', ecKey('P-521', 'sha512', '1.2.840.10045.4.3.4')],
    ['RSA and SHA-256', rsaKey()],
    ['RSA and SHA-384', rsaKey('sha384', '1.2.840.113549.1.1.12')],
    ['RSA and SHA-512', rsaKey('sha512', '1.2.840.113549.1.1.13')],
    // The algorithm names no hash: that of the digest counts.
    ['RSA alone', rsaKey('sha256', OIDS.rsaEncryption)],
  ] as const

  test.each(keys)('%s', async (_, key) => {
    const certificate = writeCertificate({ ...sealWish, key })
    const file = sealed({ data: { key, certificates: [certificate] } })
    expect(await verify(file)).toMatchObject({ isIntact: true, isTrusted: true })
  })

  test.each(keys.slice(0, 6))('%s in the certificate of an authority', async (_, key) => {
    const authority = writeCertificate({
      subject: root.name,
      key,
      issuer: { name: root.name, key },
      extensions: [AUTHORITY],
    })
    const certificate = writeCertificate({ ...sealWish, issuer: { name: root.name, key } })
    const file = sealed({ data: { certificates: [certificate] } })
    expect(await verify(file, { certificates: [authority] })).toMatchObject({ isIntact: true, isTrusted: true })
  })

  test.each([
    ['2.16.840.1.101.3.4.2.2', 'sha384'],
    ['2.16.840.1.101.3.4.2.3', 'sha512'],
  ] as const)('the digest %s', async (digestAlgorithm, name) => {
    const file = writeSealedFile({
      signed: SIGNED,
      record: bytes(JSON.stringify(record)),
      sign: (content) =>
        writeSignedData({
          hash,
          content,
          key: sealKey,
          certificates: [sealCertificate],
          issuer: root.name,
          serial: 2,
          digestAlgorithm,
          signed: { [OIDS.messageDigest]: writeOctets(hash(name, content)) },
        }),
    })
    expect(await verify(file)).toMatchObject({ isIntact: true })
  })

  test.each<[what: string, data: Partial<SignedDataWish>]>([
    ['SHA-1 as the digest', { digestAlgorithm: '1.3.14.3.2.26' }],
    ['a digest that is not known', { digestAlgorithm: '1.2.3' }],
    ['RSA with SHA-1', { signatureAlgorithm: '1.2.840.113549.1.1.5' }],
    ['an algorithm that is not known', { signatureAlgorithm: '1.2.3' }],
    ['two signers', { signers: 2 }],
    ['no signer', { signers: 0 }],
    ['the certificate of another', { certificates: [tsaCertificate] }],
    ['no certificate', { certificates: [] }],
    ['another serial number', { serial: 9 }],
    ['another issuer', { issuer: 'Other root' }],
    [
      'an ECDSA signature of three numbers',
      { key: { ...sealKey, sign: () => writeSequence(writeInteger(1), writeInteger(1), writeInteger(1)) } },
    ],
    ['an ECDSA signature of one number', { key: { ...sealKey, sign: () => writeSequence(writeInteger(1)) } }],
    [
      'an ECDSA number that is too long',
      { key: { ...sealKey, sign: () => writeSequence(writeElement(2, new Uint8Array(34).fill(1)), writeInteger(1)) } },
    ],
    ['no digest', { signed: { [OIDS.messageDigest]: null } }],
    ['no content type', { signed: { [OIDS.contentType]: null } }],
    ['an attribute without a value', { signed: { '1.2.3': new Uint8Array() } }],
  ])('%s: malformed', async (_, data) => {
    expect(await verify(sealed({ data }))).toBe('malformed_seal')
  })

  const md5 = '1.2.840.113549.2.5'
  test.each<[what: string, data: Partial<SignedDataWish>]>([
    ['a signature by another key', { key: ecKey() }],
    ['another digest', { signed: { [OIDS.messageDigest]: writeOctets(new Uint8Array(32)) } }],
    ['another content type', { signed: { [OIDS.contentType]: oid(OIDS.timeStampInfo) } }],
    ['no named certificate', { signed: { [OIDS.signingCertificateV2]: null } }],
    [
      'another named certificate',
      { signed: { [OIDS.signingCertificateV2]: namingV2(hash('sha256', tsaCertificate)) } },
    ],
    [
      'a certificate named by a hash that is not known',
      { signed: { [OIDS.signingCertificateV2]: namingV2(new Uint8Array(16), md5) } },
    ],
  ])('%s: not intact', async (_, data) => {
    expect(await verify(sealed({ data }))).toMatchObject({ isIntact: false, coversWholeFile: true })
  })

  test('a key that no host has, and a curve that is not known', async () => {
    for (const key of [
      ecKey('secp256k1'),
      { ...ecKey(), spki: writeSequence(writeSequence(oid('1.2.3')), writeElement(3, new Uint8Array(3))) },
    ])
      expect(
        await verify(sealed({ data: { key, certificates: [writeCertificate({ ...sealWish, key })] } })),
      ).toMatchObject({
        isIntact: false,
      })
  })

  test.each<[what: string, naming: Readonly<Record<string, Bytes | null>>]>([
    ['SHA-512', { [OIDS.signingCertificateV2]: namingV2(hash('sha512', sealCertificate), '2.16.840.1.101.3.4.2.3') }],
    [
      'SHA-1 in the first version',
      { [OIDS.signingCertificateV2]: null, [OIDS.signingCertificate]: namingV2(hash('sha1', sealCertificate)) },
    ],
  ])('the certificate may be named by %s', async (_, signed) => {
    expect(await verify(sealed({ data: { signed } }))).toMatchObject({ isIntact: true })
  })
})

describe('trust', () => {
  const issuing = { name: 'Test issuing', key: ecKey() }
  const chain = (extensions: readonly Bytes[], dates: { from?: string; to?: string } = {}) => {
    const above = writeCertificate({
      subject: issuing.name,
      key: issuing.key,
      issuer: root,
      serial: 4,
      extensions,
      ...dates,
    })
    const own = writeCertificate({ ...sealWish, issuer: issuing })
    return sealed({ data: { certificates: [own, above], issuer: issuing.name } })
  }

  test('of the certificate itself, of its authority, and of one above that', async () => {
    expect(await verify(sealed(), { certificates: [sealCertificate] })).toMatchObject({ isTrusted: true })
    expect(await verify(chain([AUTHORITY]))).toMatchObject({ isIntact: true, isTrusted: true })
  })

  test('of none, of others, and of one with the same name', async () => {
    const key = ecKey()
    const other = writeCertificate({
      subject: root.name,
      key,
      issuer: { name: root.name, key },
      extensions: [AUTHORITY],
    })
    for (const certificates of [[], [tsaCertificate], [other]])
      expect(await verify(sealed(), { certificates })).toMatchObject({ isIntact: true, isTrusted: false })
    expect(await verify(sealed(), { certificates: [other, rootCertificate] })).toMatchObject({ isTrusted: true })
  })

  test.each<[what: string, extensions: readonly Bytes[]]>([
    ['has no constraints', []],
    ['says that it is none', [extension(OIDS.basicConstraints, writeSequence())]],
    ['says FALSE', [extension(OIDS.basicConstraints, writeSequence(writeElement(1, Uint8Array.of(0))))]],
    [
      'has a number in its place',
      [extension(OIDS.basicConstraints, writeSequence(writeElement(2, Uint8Array.of(0xff))))],
    ],
  ])('an authority that %s is none', async (_, extensions) => {
    expect(await verify(chain(extensions))).toMatchObject({ isIntact: true, isTrusted: false })
  })

  test('only within the time of every certificate, its ends included', async () => {
    const at = (dates: { from?: string; to?: string }) =>
      sealed({
        data: { certificates: [writeCertificate({ ...sealWish, ...dates })] },
        record: { ...record, sealed_at: '2026-05-01T00:00:00Z' },
      })
    expect(await verify(at({ from: '260501', to: '260501' }))).toMatchObject({ isTrusted: true })
    expect(await verify(at({ from: '260502' }))).toMatchObject({ isTrusted: false })
    expect(await verify(at({ to: '260430' }))).toMatchObject({ isTrusted: false })
    expect(await verify(chain([AUTHORITY], { to: '260430' }))).toMatchObject({ isTrusted: false })
  })

  test('six authorities above each other, and not one more', async () => {
    const line = async (count: number) => {
      const authorities = Array.from({ length: count }, (_, index) => ({ name: `Level ${index}`, key: ecKey() }))
      const above = authorities.map(({ name, key }, index) =>
        writeCertificate({
          subject: name,
          key,
          issuer: authorities[index - 1] ?? { name, key },
          extensions: [AUTHORITY],
        }),
      )
      const issuer = authorities.at(-1) ?? root
      const own = writeCertificate({ ...sealWish, issuer })
      const file = sealed({ data: { certificates: [own, ...above.slice(1)], issuer: issuer.name } })
      return verify(file, { certificates: above.slice(0, 1) })
    }
    expect(await line(6)).toMatchObject({ isTrusted: true })
    expect(await line(7)).toMatchObject({ isTrusted: false })
  })
})

describe('time-stamps', () => {
  const AT = Date.parse('2026-05-01T12:00:00.250Z')

  test('give the time of the seal', async () => {
    const file = sealed({ token: {}, record: { ...record, sealed_at: '2001-01-01T00:00:00Z' } })
    expect(await verify(file)).toMatchObject({
      isIntact: true,
      isTrusted: true,
      sealedAt: AT,
      timestamp: { at: AT, authority: party('Test time', tsaCertificate), isTrusted: true },
    })
  })

  test('of an authority that is not trusted count for nothing but the time', async () => {
    expect(await verify(sealed({ token: {} }), { certificates: [rootCertificate] })).toMatchObject({
      isIntact: true,
      timestamp: { at: AT, isTrusted: false },
    })
  })

  const otherPurpose = (...extensions: readonly Bytes[]) => {
    const certificates = [writeCertificate({ ...tsaWish, extensions })]
    return { certificates }
  }
  test.each<[what: string, token: Partial<TokenWish>]>([
    ['of other bytes', { imprint: hash('sha256', bytes('other')) }],
    ['of another signer', { key: ecKey() }],
    ['with a hash of SHA-1', { imprint: new Uint8Array(20), imprintAlgorithm: '1.3.14.3.2.26' }],
    ['with a hash that is not known', { imprintAlgorithm: '1.2.3' }],
    ['by a certificate for everything', otherPurpose()],
    ['by a certificate for something else', otherPurpose(purposes('1.3.6.1.5.5.7.3.1'))],
    ['by a certificate for something else too', otherPurpose(purposes(OIDS.timeStamping, '1.3.6.1.5.5.7.3.1'))],
  ])('%s make the seal invalid', async (_, token) => {
    expect(await verify(sealed({ token }))).toMatchObject({ isIntact: false, timestamp: null })
  })

  test('that are SHA-1 of the stamped bytes make it invalid too', async () => {
    const key: TestKey = { ...sealKey, sign: () => Uint8Array.from(FIXED) }
    const token = { imprint: hash('sha1', Uint8Array.from(FIXED)), imprintAlgorithm: '1.3.14.3.2.26' }
    expect(await verify(sealed({ data: { key }, token }))).toMatchObject({ timestamp: null })
    const right = { imprint: hash('sha512', Uint8Array.from(FIXED)), imprintAlgorithm: '2.16.840.1.101.3.4.2.3' }
    expect(await verify(sealed({ data: { key }, token: right }))).toMatchObject({ timestamp: { at: AT } })
  })
  const FIXED = writeSequence(writeInteger(1), writeInteger(1))

  test('that are something else make it malformed', async () => {
    expect(await verify(sealed({ token: { contentType: OIDS.data } }))).toBe('malformed_seal')
    expect(await verify(sealed({ token: { isInside: false } }))).toBe('malformed_seal')
  })
})

describe('revocation lists in the file', () => {
  const list = (wish: Partial<ListWish> = {}) => writeRevocationList({ issuer: root, ...wish })
  const facts = async (wish: Partial<ListWish>, file: Wish = {}) => {
    const report = await verify(sealed({ ...file, lists: [list(wish)] }))
    return typeof report === 'string' ? report : [report.isTrusted, ...report.revocation.map(({ status }) => status)]
  }

  test('say that the certificate was good', async () => {
    expect(await verify(sealed({ lists: [list()] }))).toMatchObject({
      isIntact: true,
      isTrusted: true,
      revocation: [
        {
          kind: 'crl',
          of: 'seal',
          certificate: party('Test seal', sealCertificate),
          thisUpdate: Date.parse('2026-01-01'),
          nextUpdate: Date.parse('2027-01-01'),
          isSignedByIssuer: true,
          isCurrent: true,
          status: 'good',
        },
      ],
    })
  })

  test.each<[what: string, wish: Partial<ListWish>, facts: unknown]>([
    ['it is revoked', { revoked: [1, 2] }, [false, 'revoked']],
    ['others are', { revoked: [1, 3] }, [true, 'good']],
    ['it is revoked, in a list that is old', { revoked: [2], nextUpdate: utcTime('260102') }, [false, 'revoked']],
    ['the list is old', { nextUpdate: utcTime('260102') }, [true, 'unknown']],
    ['the list has no end', { nextUpdate: null }, [true, 'unknown']],
    [
      'the list has an end in the long form',
      { nextUpdate: writeElement(0x18, bytes('20270101000000Z')) },
      [true, 'good'],
    ],
    ['the list has no version', { hasVersion: false, revoked: [2] }, [false, 'revoked']],
    ['another signed it', { issuer: { name: root.name, key: ecKey() }, revoked: [2] }, [true, 'unknown']],
    ['another issued it', { issuer: { name: 'Other', key: rootKey }, revoked: [2] }, [true]],
    [
      'its algorithm is not known',
      { issuer: { name: root.name, key: { ...rootKey, algorithm: '1.2.3' } }, revoked: [2] },
      [true, 'unknown'],
    ],
  ])('%s', async (_, wish, expected) => {
    expect(await facts(wish)).toEqual(expected)
  })

  const scope = (...members: readonly Bytes[]) => ({
    extensions: [extension(OIDS.issuingDistributionPoint, writeSequence(...members))],
  })
  const flag = (number: number, isOn = true) => writeElement(0x80 + number, Uint8Array.of(isOn ? 0xff : 0))
  test.each<[what: string, wish: Partial<ListWish>, isAbout: boolean]>([
    ['all', scope(), true],
    ['those of its address', scope(fullName('http://other.example', LIST_URL)), true],
    ['those of another address', scope(fullName('http://other.example')), false],
    ['those of its address that are no authorities', scope(fullName(LIST_URL), flag(1)), true],
    ['authorities only', scope(flag(2)), false],
    ['not authorities only', scope(flag(2, false)), true],
    ['some reasons', scope(flag(3)), false],
    ['those of other issuers too', scope(flag(4)), false],
    ['those of no other issuers', scope(flag(4, false)), true],
    ['what a critical extension says', { extensions: [extension('1.2.3', writeInteger(1))] }, false],
    ['what another extension says', { extensions: [extension('1.2.3', writeInteger(1), false)] }, true],
  ])('about %s', async (_, wish, isAbout) => {
    expect(await facts({ ...wish, revoked: [2] })).toEqual(isAbout ? [false, 'revoked'] : [true])
  })

  test('about authorities count for those', async () => {
    const issuing = { name: 'Test issuing', key: ecKey() }
    const above = writeCertificate({
      subject: issuing.name,
      key: issuing.key,
      issuer: root,
      serial: 4,
      extensions: [AUTHORITY],
    })
    const own = writeCertificate({ ...sealWish, issuer: issuing })
    const data = { certificates: [own, above], issuer: issuing.name }
    expect(await facts({ ...scope(flag(2)), revoked: [4] }, { data })).toEqual([false, 'revoked'])
    expect(await facts({ ...scope(flag(1)), revoked: [4] }, { data })).toEqual([true])
  })

  test('of an authority that may not sign lists count for nothing', async () => {
    const mayNot = writeCertificate({
      subject: root.name,
      key: rootKey,
      issuer: root,
      extensions: [AUTHORITY, keyUsage(0x04)],
    })
    const report = await verify(sealed({ lists: [list({ revoked: [2] })] }), { certificates: [mayNot] })
    expect(report).toMatchObject({ isTrusted: true, revocation: [{ status: 'unknown', isSignedByIssuer: false }] })
  })

  test('about a time-stamping authority take away its trust, not that of the seal', async () => {
    const report = await verify(sealed({ token: {}, lists: [list({ revoked: [3] })] }))
    expect(report).toMatchObject({
      isTrusted: true,
      timestamp: { isTrusted: false },
      revocation: [
        { of: 'seal', status: 'good' },
        { of: 'timestamp', status: 'revoked', certificate: { name: 'Test time' } },
      ],
    })
    expect(await verify(sealed({ token: {}, lists: [list({ revoked: [2] })] }))).toMatchObject({
      isTrusted: false,
      timestamp: { isTrusted: true },
    })
  })

  test('that are none are left out, and more than eight are not read', async () => {
    expect(await verify(sealed({ lists: [bytes('no list'), list(), writeSequence(writeSequence())] }))).toMatchObject({
      isTrusted: true,
      revocation: [{ status: 'good' }],
    })
    const many = (count: number) =>
      verify(sealed({ lists: Array.from({ length: count }, () => list({ revoked: [2] })) }))
    expect(await many(8)).toMatchObject({ isTrusted: false, revocation: { length: 8 } })
    expect(await many(9)).toMatchObject({ revocation: [] })
  })

  test('are not read without a time', async () => {
    expect(await verify(sealed({ record: 'none', lists: [list()] }))).toMatchObject({ revocation: [] })
  })
})
