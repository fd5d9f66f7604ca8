import { type Bytes, createUtf8Codec } from '@sealpost/crypto'
import { writeElement, writeInteger, writeOctets, writeSequence } from '@sealpost/crypto/der'
import { ecKey, hashOf, rsaKey } from '@sealpost/testkit/signing-keys'
import { describe, expect, test } from 'vitest'
import { bytesOf } from '../reader/characters.ts'
import { OIDS } from './object-ids.ts'
import {
  AUTHORITY,
  namingV2,
  oid,
  type SignedDataWish,
  writeCertificate,
  writeSealedFile,
  writeSignedData,
  createSealKit,
} from './testing/index.ts'

const host = { crypto: globalThis.crypto, utf8: createUtf8Codec(globalThis), hash: hashOf, newKey: () => ecKey() }
const { root, sealKey, sealCertificate, tsaCertificate, SIGNED, record, sealed, verify, party, sealWish } =
  createSealKit(host)

test('a sealed file says all that it is', async () => {
  expect(await verify(sealed())).toEqual({
    isIntact: true,
    coversWholeFile: true,
    bytesAfterSeal: 0,
    isTrusted: true,
    sealedBy: party('Test seal', sealCertificate),
    sealedAt: Date.parse(record.sealed_at),
    timestamp: null,
    timestampState: 'unknown',
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
      record: bytesOf(JSON.stringify(record)),
      sign: (content) =>
        writeSignedData({
          hash: hashOf,
          content,
          key: sealKey,
          certificates: [sealCertificate],
          issuer: root.name,
          serial: 2,
          digestAlgorithm,
          signed: { [OIDS.messageDigest]: writeOctets(hashOf(name, content)) },
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
      { signed: { [OIDS.signingCertificateV2]: namingV2(hashOf('sha256', tsaCertificate)) } },
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
    ['SHA-512', { [OIDS.signingCertificateV2]: namingV2(hashOf('sha512', sealCertificate), '2.16.840.1.101.3.4.2.3') }],
    [
      'SHA-1 in the first version',
      { [OIDS.signingCertificateV2]: null, [OIDS.signingCertificate]: namingV2(hashOf('sha1', sealCertificate)) },
    ],
  ])('the certificate may be named by %s', async (_, signed) => {
    expect(await verify(sealed({ data: { signed } }))).toMatchObject({ isIntact: true })
  })
})
