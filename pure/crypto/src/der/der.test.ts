import { describe, expect, test } from 'vitest'
import { readPbes2, writePbes2 } from '../keys/pbes2.ts'
import { OID } from './object-ids.ts'
import { octetsOf, readElements, readSequence, smallIntegerOf, unsignedOf } from './reader.ts'
import {
  writeBitString,
  writeElement,
  writeInteger,
  writeNull,
  writeOctets,
  writeOid,
  writeSequence,
  writeUnsigned,
} from './writer.ts'

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')
const bytes = (text: string) => Uint8Array.from(Buffer.from(text, 'hex'))

describe('numbers', () => {
  test.each([
    [0, '020100'],
    [1, '020101'],
    [127, '02017f'],
    [128, '02020080'],
    [255, '020200ff'],
    [256, '02020100'],
    [600_000, '02030927c0'],
    [0x7fff_ffff, '02047fffffff'],
  ])('%i is %s', (value, written) => {
    expect(hex(writeInteger(value))).toBe(written)
    expect(smallIntegerOf(readElements(bytes(written))?.[0])).toBe(value)
  })

  test.each([
    ['', '020100'],
    ['01', '020101'],
    ['7f', '02017f'],
    ['80', '02020080'],
    ['ff00', '020300ff00'],
  ])('the digits %j are %s, and are read again', (digits, written) => {
    expect(hex(writeUnsigned(bytes(digits)))).toBe(written)
    expect(hex(unsignedOf(readElements(bytes(written))?.[0]) ?? bytes('ee'))).toBe(digits)
  })

  test.each(['0200', '020180', '02020001', '0202007f', '040101', '02050080000000'])(
    '%s is none that fits',
    (written) => {
      expect(smallIntegerOf(readElements(bytes(written))?.[0])).toBeNull()
    },
  )

  test('31 bits fit, 32 do not', () => {
    expect(smallIntegerOf(readElements(bytes('02050080000000'))?.[0])).toBeNull()
    expect(smallIntegerOf(readElements(bytes('020500ffffffff'))?.[0])).toBeNull()
  })
})

describe('lengths', () => {
  test.each([
    [0, '0400'],
    [127, '047f'],
    [128, '048180'],
    [255, '0481ff'],
    [256, '04820100'],
    [65_536, '0483010000'],
  ])('%i bytes', (length, head) => {
    const written = writeOctets(new Uint8Array(length))
    expect(hex(written.subarray(0, head.length / 2))).toBe(head)
    expect(octetsOf(readElements(written)?.[0])).toHaveLength(length)
  })

  test.each(['04', '0401', '0480', '048100', '04817f', '0482007f', '04820080', '0484000000010', '1f0100', '0403ffff'])(
    '%s is not DER',
    (text) => {
      expect(readElements(bytes(text))).toBeNull()
    },
  )
})

test('the other elements', () => {
  expect(hex(writeNull())).toBe('0500')
  expect(hex(writeBitString(bytes('aa')))).toBe('030200aa')
  expect(hex(writeOid(OID.pbes2))).toBe('06092a864886f70d01050d')
  expect(hex(writeSequence(writeNull(), writeNull()))).toBe('300405000500')
  expect(readSequence(bytes('300405000500'))).toHaveLength(2)
  expect(readSequence(bytes('3004050005000500'))).toBeNull()
  expect(readSequence(bytes('310405000500'))).toBeNull()
})

describe('a protected private key', () => {
  const parts = {
    salt: new Uint8Array(16).fill(1),
    iterations: 600_000,
    iv: new Uint8Array(16).fill(2),
    encrypted: new Uint8Array(32).fill(3),
  }
  const hash = writeSequence(writeOid(OID.hmacWithSha256), writeNull())

  interface Wish {
    readonly scheme?: Uint8Array<ArrayBuffer>
    readonly kdf?: Uint8Array<ArrayBuffer>
    readonly derivation?: readonly Uint8Array<ArrayBuffer>[]
    readonly cipher?: Uint8Array<ArrayBuffer>
    readonly data?: Uint8Array<ArrayBuffer>
    readonly more?: readonly Uint8Array<ArrayBuffer>[]
  }
  const salt = writeOctets(parts.salt)
  const count = writeInteger(parts.iterations)
  function write({
    scheme = writeOid(OID.pbes2),
    derivation = [salt, count, hash],
    data = writeOctets(parts.encrypted),
    more = [],
    ...wish
  }: Wish) {
    const kdf = wish.kdf ?? writeSequence(writeOid(OID.pbkdf2), writeSequence(...derivation))
    const cipher = wish.cipher ?? writeSequence(writeOid(OID.aes256Cbc), writeOctets(parts.iv))
    return writeSequence(writeSequence(scheme, writeSequence(kdf, cipher)), data, ...more)
  }
  const outcome = (wish: Wish) => {
    const read = readPbes2(write(wish))
    return read.ok ? 'read' : read.refusal
  }

  test('is read as it was written', () => {
    expect(hex(write({}))).toBe(hex(writePbes2(parts)))
    expect(readPbes2(writePbes2(parts))).toEqual({ ok: true, value: parts })
  })

  test.each<[what: string, wish: Wish, outcome: string]>([
    ['a length of the key', { derivation: [salt, count, writeInteger(32), hash] }, 'read'],
    ['a salt of eight bytes', { derivation: [writeOctets(new Uint8Array(8)), count, hash] }, 'read'],
    ['a salt of 64 bytes', { derivation: [writeOctets(new Uint8Array(64)), count, hash] }, 'read'],
    ['a salt of seven bytes', { derivation: [writeOctets(new Uint8Array(7)), count, hash] }, 'unsupported_protection'],
    ['a salt of 65 bytes', { derivation: [writeOctets(new Uint8Array(65)), count, hash] }, 'unsupported_protection'],
    ['another length of the key', { derivation: [salt, count, writeInteger(16), hash] }, 'unsupported_protection'],
    ['no hash, which would be SHA-1', { derivation: [salt, count] }, 'unsupported_protection'],
    ['more than a hash', { derivation: [salt, count, hash, hash] }, 'unsupported_protection'],
    ['no count', { derivation: [salt, hash] }, 'unsupported_protection'],
    ['another scheme', { scheme: writeOid(OID.pbkdf2) }, 'unsupported_protection'],
    [
      'another derivation',
      { kdf: writeSequence(writeOid(OID.pbes2), writeSequence(salt, count, hash)) },
      'unsupported_protection',
    ],
    ['another cipher', { cipher: writeSequence(writeOid(OID.pbes2), writeOctets(parts.iv)) }, 'unsupported_protection'],
    [
      'a short IV',
      { cipher: writeSequence(writeOid(OID.aes256Cbc), writeOctets(new Uint8Array(15))) },
      'unsupported_protection',
    ],
    [
      'more than an IV',
      { cipher: writeSequence(writeOid(OID.aes256Cbc), writeOctets(parts.iv), writeNull()) },
      'unsupported_protection',
    ],
    ['a scheme that is no id', { scheme: writeNull() }, 'not_a_key_file'],
    ['no data', { data: writeOctets(new Uint8Array()) }, 'not_a_key_file'],
    ['half a block', { data: writeOctets(new Uint8Array(24)) }, 'not_a_key_file'],
    ['data of another kind', { data: writeElement(3, parts.encrypted) }, 'not_a_key_file'],
    ['something behind it', { more: [writeNull()] }, 'not_a_key_file'],
  ])('with %s: %s', (_, wish, expected) => {
    expect(outcome(wish)).toBe(expected)
  })

  test('that is no DER is no key file', () => {
    expect(readPbes2(bytes('00'))).toEqual({ ok: false, refusal: 'not_a_key_file' })
  })
})
