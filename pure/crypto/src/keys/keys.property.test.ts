import { Secret } from '@sealpost/kernel'
import { propertyLimits, propertySettings } from '@sealpost/testkit/property-runs'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { encodeHex } from '../codecs/hex.ts'
import { type CryptoPlatform, createCryptoPlatform } from '../platform.ts'
import { flipBit } from '../testing/flip-bit.ts'
import { taken } from '../testing/taken.ts'
import type { Bytes, Subtle } from '../web-crypto.ts'
import { unwrapByPassphrase } from './passphrase-wrap.ts'
import { unwrapByPassword } from './password-wrap.ts'
import { type Argon2id, derivePasswordKeys } from './password.ts'
import { readPbes2, writePbes2 } from './pbes2.ts'
import { readPem, writePem } from './pem.ts'
import { exportPrivateKeyPem, importPrivateKeyPem } from './private-key-pem.ts'
import { isPrivateKey } from './rsa-private-key.ts'
import { isPublicKey } from './rsa-public-key.ts'
import { createServiceKey } from './service-key.ts'

/** Includes lone surrogates. */
const anyText = fc.array(fc.nat(0xffff)).map((codes) => String.fromCharCode(...codes))
const platform = rememberStretching(createCryptoPlatform(globalThis))
const service = await createServiceKey(platform)
const pem = taken(await exportPrivateKeyPem(platform, service.privateKey, service.passphrase))
const der = readPem(platform.base64, pem) ?? new Uint8Array()
const instantArgon2: Argon2id = async ({ outputBytes }) => new Uint8Array(outputBytes)

const bytes = fc.uint8Array({ maxLength: 60 }).map((made) => Uint8Array.from(made))
/** Bytes that begin as valid DER. */
const nearDer = fc.letrec<{ node: Bytes }>((tie) => ({
  node: fc.oneof(
    { depthSize: 'small' },
    fc.tuple(fc.nat(255), fc.nat(255), bytes).map(([tag, length, rest]) => Uint8Array.from([tag, length, ...rest])),
    fc.array(tie('node'), { maxLength: 4 }).map((parts) => {
      const content = parts.flatMap((part) => [...part]).slice(0, 120)
      return Uint8Array.from([0x30, content.length, ...content])
    }),
  ),
})).node

test('no text and no bytes make the PEM reader throw, and none opens', propertyLimits, async () => {
  const file = fc.oneof(
    anyText,
    nearDer.map((made) => writePem(platform.base64, made)),
    fc.nat(pem.length - 2).map((length) => pem.slice(0, length)),
  )
  await fc.assert(
    fc.asyncProperty(file, anyText, async (input, passphrase) => {
      expect((await importPrivateKeyPem(platform, input, new Secret(passphrase))).ok).toBe(false)
    }),
    propertySettings,
  )
})

test(
  'one changed bit of an encrypted PEM is refused, although nothing in it authenticates',
  propertyLimits,
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(der.length * 8 - 1), async (bit) => {
        const changed = writePem(platform.base64, flipBit(der, bit))
        expect((await importPrivateKeyPem(platform, changed, service.passphrase)).ok).toBe(false)
      }),
      propertySettings,
    )
  },
)

test('no bytes make the key checks throw, and one changed bit of a private key is detected', propertyLimits, () => {
  const pkcs8 = service.privateKey.reveal()
  fc.assert(
    fc.property(fc.nat(pkcs8.length * 8 - 1), nearDer, fc.anything(), (bit, made, anything) => {
      expect(isPrivateKey(flipBit(pkcs8, bit))).toBe(false)
      expect(isPrivateKey(made)).toBe(false)
      expect(isPublicKey(platform, platform.base64.encode(made))).toBe(false)
      expect(isPublicKey(platform, anything)).toBe(false)
      expect(readPbes2(made).ok).toBe(false)
    }),
    propertySettings,
  )
})

test('written PBES2 is read back', propertyLimits, () => {
  const salt = fc.uint8Array({ minLength: 8, maxLength: 64 })
  const blocks = fc.integer({ min: 1, max: 90 }).chain((n) => fc.uint8Array({ minLength: n * 16, maxLength: n * 16 }))
  const iv = fc.uint8Array({ minLength: 16, maxLength: 16 })
  fc.assert(
    fc.property(salt, fc.nat(0x7fffffff), iv, blocks, (saltBytes, iterations, ivBytes, data) => {
      const made = { salt: own(saltBytes), iterations, iv: own(ivBytes), encrypted: own(data) }
      expect(readPbes2(writePbes2(made))).toEqual({ ok: true, value: made })
    }),
    propertySettings,
  )
})

test('no object makes the unwrapping of keys throw, and one changed bit is refused', propertyLimits, async () => {
  const wrap = service.encryptedPrivateKey
  const data = platform.base64.decode(wrap.data) ?? new Uint8Array()
  const { wrapKey } = taken(await derivePasswordKeys(platform, instantArgon2, new Secret('x'), agreedKdf()))
  const part = fc.oneof(
    fc.anything(),
    bytes.map((made) => platform.base64.encode(made)),
  )
  const near = fc.record(
    { iter: fc.oneof(fc.anything(), fc.nat(99_999)), salt: part, iv: part, data: part },
    { requiredKeys: [] },
  )
  await fc.assert(
    fc.asyncProperty(fc.nat(data.length * 8 - 1), fc.oneof(near, fc.anything()), async (bit, anything) => {
      const changed = { ...wrap, data: platform.base64.encode(flipBit(data, bit)) }
      expect(await unwrapByPassphrase(platform, changed, service.passphrase)).toMatchObject({ ok: false })
      expect(await unwrapByPassphrase(platform, anything, service.passphrase)).toMatchObject({ ok: false })
      expect(await unwrapByPassword(platform, wrapKey, anything, 'account')).toMatchObject({ ok: false })
    }),
    propertySettings,
  )
})

test(
  'no password and no parameters make the derivation throw; weak ones never reach Argon2',
  propertyLimits,
  async () => {
    const count = fc.oneof(fc.anything(), fc.integer(), fc.constantFrom(1, 2, 3, 32_767, 32_768, 65_536))
    const near = fc.record(
      {
        alg: fc.constantFrom('argon2id', 'argon2i'),
        memory_kib: count,
        passes: count,
        lanes: count,
        salt: fc.constantFrom(agreedKdf().salt, 'AAAA', 7),
      },
      { requiredKeys: [] },
    )
    await fc.assert(
      fc.asyncProperty(anyText, fc.oneof(near, fc.anything()), async (password, kdf) => {
        const judging: Argon2id = async (input) => {
          expect(input.memoryKib >= 32_768 && input.passes >= 2 && input.salt.length === 16).toBe(true)
          return instantArgon2(input)
        }
        const derived = await derivePasswordKeys(platform, judging, new Secret(password), kdf)
        expect(derived.ok ? derived.value.authVerifier.reveal().length : 44).toBe(44)
      }),
      propertySettings,
    )
  },
)

function agreedKdf() {
  return { alg: 'argon2id', memory_kib: 65_536, passes: 3, lanes: 1, salt: platform.base64.encode(new Uint8Array(16)) }
}

function own(made: Uint8Array): Bytes {
  return Uint8Array.from(made)
}

/** 100000 iterations take 20 ms; the same password and salt need them once. Everything else is the real engine. */
function rememberStretching(real: CryptoPlatform): CryptoPlatform {
  const passwords = new WeakMap<object, string>()
  const known = new Map<string, Promise<ArrayBuffer>>()
  const engine = real.crypto.subtle
  const importKey: Subtle['importKey'] = async (...args) => {
    const key = await engine.importKey(...args)
    passwords.set(key, encodeHex(args[1]))
    return key
  }
  const deriveBits: Subtle['deriveBits'] = (parameters, key, length) => {
    if (parameters.name !== 'PBKDF2') return engine.deriveBits(parameters, key, length)
    const name = `${passwords.get(key)} ${encodeHex(parameters.salt)} ${parameters.iterations}`
    const found = known.get(name) ?? engine.deriveBits(parameters, key, length)
    known.set(name, found)
    return found
  }
  const subtle: Subtle = {
    importKey,
    deriveBits,
    encrypt: (...args) => engine.encrypt(...args),
    decrypt: (...args) => engine.decrypt(...args),
    sign: (...args) => engine.sign(...args),
    verify: (...args) => engine.verify(...args),
    digest: (...args) => engine.digest(...args),
    exportKey: (...args) => engine.exportKey(...args),
    generateKey: (...args) => engine.generateKey(...args),
  }
  return { ...real, crypto: { subtle, getRandomValues: (made) => real.crypto.getRandomValues(made) } }
}
