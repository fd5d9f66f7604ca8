import { writeElement, writeInteger, writeOctets, writeSequence } from '@sealpost/crypto/der'
import { describe, expect, test } from 'vitest'
import { bytesOf } from '../reader/characters.ts'
import { contentOf, insideOf, isSame, oidOf, readOne, timeOf } from './asn1.ts'
import { readCertificate } from './certificate.ts'
import { readListUrls, urlsOf } from './extensions.ts'
import { readRevocationList } from './revocation-list.ts'
import { fullName, oid, utcTime, writeCertificate } from './testing/index.ts'

test.each([
  '1.2.840.113549.1.7.2',
  '2.5.4.3',
  '2.16.840.1.101.3.4.2.1',
  '0.9.2342',
  '1.39.127.128.16383.16384',
  '2.999',
])('the object id %s', (dotted) => {
  expect(oidOf(readOne(oid(dotted)))).toBe(dotted)
})

test.each<[tag: number, text: string, time: string]>([
  [0x17, '260501123456Z', '2026-05-01T12:34:56.000Z'],
  [0x17, '491231000000Z', '2049-12-31T00:00:00.000Z'],
  [0x17, '500101000000Z', '1950-01-01T00:00:00.000Z'],
  [0x18, '20260501123456Z', '2026-05-01T12:34:56.000Z'],
  [0x18, '20260501123456.5Z', '2026-05-01T12:34:56.500Z'],
  [0x18, '20260501123456.1239Z', '2026-05-01T12:34:56.123Z'],
])('tag %i, %s is %s', (tag, text, time) => {
  expect(new Date(timeOf({ tag, content: bytesOf(text) })).toISOString()).toBe(time)
})

test.each<[tag: number, text: string]>([
  [0x17, '20260501123456Z'],
  [0x18, '260501123456Z'],
  [0x16, '20260501123456Z'],
  [0x17, '261301123456Z'],
  [0x17, '260501123456'],
  [0x17, '260501123456+0200'],
])('tag %i, %s is no time', (tag, text) => {
  expect(() => timeOf({ tag, content: bytesOf(text) })).toThrow('not a time')
  expect(() => timeOf(undefined)).toThrow('not a time')
})

describe('an element', () => {
  const one = writeInteger(7)
  test('is one, and of the tag that is asked for', () => {
    expect(readOne(one)).toEqual({ tag: 2, content: Uint8Array.of(7) })
    for (const bytes of [new Uint8Array(), Uint8Array.from([...one, ...one]), Uint8Array.of(2, 5, 1)])
      expect(() => readOne(bytes)).toThrow('not one')
    expect(contentOf(readOne(one), 2)).toEqual(Uint8Array.of(7))
    expect(() => contentOf(readOne(one), 3)).toThrow('no element')
    expect(() => contentOf(undefined, 2)).toThrow('no element')
    expect(insideOf(readOne(writeSequence(one)), 0x30)).toEqual([readOne(one)])
    expect(() => insideOf(readOne(writeSequence(one)), 0x31)).toThrow('no element')
    expect(() => insideOf(readOne(writeElement(0x30, Uint8Array.of(1))), 0x30)).toThrow('no element')
    expect(() => insideOf(undefined, 0x30)).toThrow('no element')
    expect(() => oidOf(readOne(one))).toThrow('no element')
  })

  test('is the same if all bytes are', () => {
    const same = (first: readonly number[], second: readonly number[]) =>
      isSame(Uint8Array.from(first), Uint8Array.from(second))
    expect([same([1, 2], [1, 2]), same([1, 2], [1, 3]), same([1], [1, 2]), same([1, 2], [1])]).toEqual([
      true,
      false,
      false,
      false,
    ])
  })
})

describe('where lists are published', () => {
  const URL = 'http://lists.example/a.crl'
  const points = (...members: readonly Uint8Array<ArrayBuffer>[]) =>
    readListUrls(writeSequence(writeSequence(...members)))
  test('the addresses of a full name', () => {
    expect(readListUrls(undefined)).toEqual([])
    expect(points(fullName(URL, 'ldap://b'))).toEqual([URL, 'ldap://b'])
    expect(points()).toEqual([])
  })

  test('not those for some reasons, or by another issuer', () => {
    expect(points(fullName(URL), writeElement(0x81, Uint8Array.of(1, 2)))).toEqual([])
    expect(points(fullName(URL), writeElement(0xa2, new Uint8Array()))).toEqual([])
  })

  test('not names of another kind', () => {
    const relative = writeElement(0xa0, writeElement(0xa1, new Uint8Array()))
    const other = writeElement(0xa0, writeElement(0xa0, writeElement(0x82, bytesOf('host'))))
    expect([points(relative), points(other), urlsOf(undefined)]).toEqual([[], [], []])
  })
})

describe('a certificate', () => {
  const key = { spki: writeSequence(), algorithm: '1.2.840.10045.4.3.2', sign: () => Uint8Array.of(9, 8) }
  const wish = { subject: 'Mara\tMüller', key, issuer: { name: 'Root', key } }

  test('is read', () => {
    expect(readCertificate(writeCertificate({ ...wish, serial: 300 }))).toMatchObject({
      serial: Uint8Array.of(1, 44),
      commonName: 'Mara\tMüller',
      organization: 'Sealpost test',
      notBefore: Date.parse('2020-01-01'),
      notAfter: Date.parse('2039-12-31'),
      isAuthority: false,
      maySignLists: true,
      listUrls: [],
      purposes: null,
      signature: Uint8Array.of(9, 8),
    })
  })

  test('may have no version, and no name', () => {
    const parts = insideOf(readOne(writeCertificate(wish)), 0x30).map(({ tag, content }) => writeElement(tag, content))
    const members = insideOf(readOne(parts[0] ?? new Uint8Array()), 0x30).map(({ tag, content }) =>
      writeElement(tag, content),
    )
    const rebuilt = (inside: readonly Uint8Array<ArrayBuffer>[]) =>
      writeSequence(writeSequence(...inside), ...parts.slice(1))
    expect(readCertificate(rebuilt(members.slice(1)))).toMatchObject({
      commonName: 'Mara\tMüller',
      serial: Uint8Array.of(1),
    })
    expect(readCertificate(rebuilt(members.with(5, writeSequence())))).toMatchObject({
      commonName: null,
      organization: null,
    })
    const invalid = writeSequence(
      writeElement(0x31, writeSequence(oid('2.5.4.3'), writeElement(0x0c, Uint8Array.of(0xff)))),
    )
    expect(readCertificate(rebuilt(members.with(5, invalid))).commonName).toBeNull()
    for (const length of [1, 2, 4, 5, 6]) expect(() => readCertificate(rebuilt(members.slice(0, length)))).toThrow()
    expect(() => readCertificate(writeSequence(writeSequence(...members)))).toThrow('not a certificate')
    expect(() => readCertificate(writeOctets(new Uint8Array()))).toThrow('no element')
  })
})

test('a revocation list without a name of its issuer is none', () => {
  const parts = [writeSequence(), writeElement(3, Uint8Array.of(0, 1))]
  const list = (...members: readonly Uint8Array<ArrayBuffer>[]) =>
    readRevocationList(writeSequence(writeSequence(...members), ...parts))
  expect(list(writeSequence(), writeSequence(), utcTime('260101'))).toMatchObject({
    nextUpdate: null,
    revoked: new Set(),
  })
  expect(() => list(writeSequence(), writeElement(0x31, new Uint8Array()), utcTime('260101'))).toThrow(
    'not a revocation list',
  )
  expect(() =>
    readRevocationList(writeSequence(writeSequence(writeSequence(), writeSequence(), utcTime('260101')))),
  ).toThrow('not a revocation list')
})
