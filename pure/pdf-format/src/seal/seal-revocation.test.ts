import { type Bytes, createUtf8Codec } from '@sealpost/crypto'
import { writeElement, writeInteger, writeSequence } from '@sealpost/crypto/der'
import { ecKey, hashOf } from '@sealpost/testkit/signing-keys'
import { describe, expect, test } from 'vitest'
import { bytesOf } from '../reader/characters.ts'
import { OIDS } from './object-ids.ts'
import {
  AUTHORITY,
  extension,
  fullName,
  keyUsage,
  type ListWish,
  utcTime,
  writeCertificate,
  writeRevocationList,
  type SealWish,
  createSealKit,
} from './testing/index.ts'

const host = { crypto: globalThis.crypto, utf8: createUtf8Codec(globalThis), hash: hashOf, newKey: () => ecKey() }
const { root, rootKey, sealCertificate, LIST_URL, sealed, verify, party, sealWish } = createSealKit(host)

describe('revocation lists in the file', () => {
  const list = (wish: Partial<ListWish> = {}) => writeRevocationList({ issuer: root, ...wish })
  const facts = async (wish: Partial<ListWish>, file: SealWish = {}) => {
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
      { nextUpdate: writeElement(0x18, bytesOf('20270101000000Z')) },
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
    expect(await verify(sealed({ lists: [bytesOf('no list'), list(), writeSequence(writeSequence())] }))).toMatchObject(
      {
        isTrusted: true,
        revocation: [{ status: 'good' }],
      },
    )
    const many = (count: number) =>
      verify(sealed({ lists: Array.from({ length: count }, () => list({ revoked: [2] })) }))
    expect(await many(8)).toMatchObject({ isTrusted: false, revocation: { length: 8 } })
    expect(await many(9)).toMatchObject({ revocation: [] })
  })

  test('are not read without a time', async () => {
    expect(await verify(sealed({ record: 'none', lists: [list()] }))).toMatchObject({ revocation: [] })
  })
})
