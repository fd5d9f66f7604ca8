import { type Bytes, createUtf8Codec } from '@sealpost/crypto'
import { writeElement, writeInteger, writeSequence } from '@sealpost/crypto/der'
import { ecKey, hashOf } from '@sealpost/testkit/signing-keys'
import { describe, expect, test } from 'vitest'
import { bytesOf } from '../reader/characters.ts'
import { OIDS } from './object-ids.ts'
import {
  AUTHORITY,
  extension,
  purposes,
  type SealWish,
  type TestKey,
  type TokenWish,
  writeCertificate,
  createSealKit,
} from './testing/index.ts'

const host = { crypto: globalThis.crypto, utf8: createUtf8Codec(globalThis), hash: hashOf, newKey: () => ecKey() }
const {
  root,
  rootCertificate,
  sealCertificate,
  tsaCertificate,
  record,
  sealed,
  verify,
  party,
  tsaWish,
  sealWish,
  sealKey,
} = createSealKit(host)

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

  const saying = (hasTimestamp: unknown, sealedAt = record.sealed_at) => ({
    ...record,
    sealed_at: sealedAt,
    has_timestamp: hasTimestamp,
  })
  const stateOf = async (wish: SealWish) => {
    const report = await verify(sealed(wish))
    return typeof report === 'string' ? report : [report.timestampState, report.sealedAt, report.timestamp?.at ?? null]
  }
  const SEALED = Date.parse(record.sealed_at)

  test('that the record knows are there, and within ten minutes of its time', async () => {
    expect(await stateOf({ token: {}, record: saying(true) })).toEqual(['as_recorded', AT, AT])
    expect(await stateOf({ record: saying(true) })).toEqual(['missing', SEALED, null])
    const [early, late] = ['2026-05-01T11:50:00.250Z', '2026-05-01T12:10:00.250Z']
    for (const time of [early, late])
      expect(await stateOf({ token: {}, record: saying(true, time) })).toEqual(['as_recorded', AT, AT])
    const far = '2026-05-01T11:50:00.249Z'
    expect(await stateOf({ token: {}, record: saying(true, far) })).toEqual(['far', Date.parse(far), AT])
    expect(await stateOf({ token: {}, record: saying(true, 'noon') })).toEqual(['far', null, AT])
  })

  test('that the record does not know were added, and count for nothing', async () => {
    expect(await stateOf({ record: saying(false) })).toEqual(['as_recorded', SEALED, null])
    expect(await stateOf({ token: {}, record: saying(false) })).toEqual(['as_recorded', SEALED, null])
    expect(await verify(sealed({ token: { key: ecKey() }, record: saying(false) }))).toMatchObject({ isIntact: true })
  })

  test('of older records give the time, and nothing says whether they belong to the seal', async () => {
    expect(await stateOf({ token: {} })).toEqual(['unknown', AT, AT])
    expect(await stateOf({})).toEqual(['unknown', SEALED, null])
    expect(await stateOf({ record: saying('yes') })).toEqual(['unknown', null, null])
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
    ['of other bytes', { imprint: hashOf('sha256', bytesOf('other')) }],
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
    const token = { imprint: hashOf('sha1', Uint8Array.from(FIXED)), imprintAlgorithm: '1.3.14.3.2.26' }
    expect(await verify(sealed({ data: { key }, token }))).toMatchObject({ timestamp: null })
    const right = { imprint: hashOf('sha512', Uint8Array.from(FIXED)), imprintAlgorithm: '2.16.840.1.101.3.4.2.3' }
    expect(await verify(sealed({ data: { key }, token: right }))).toMatchObject({ timestamp: { at: AT } })
  })
  const FIXED = writeSequence(writeInteger(1), writeInteger(1))

  test('that are something else make it malformed', async () => {
    expect(await verify(sealed({ token: { contentType: OIDS.data } }))).toBe('malformed_seal')
    expect(await verify(sealed({ token: { isInside: false } }))).toBe('malformed_seal')
  })
})
