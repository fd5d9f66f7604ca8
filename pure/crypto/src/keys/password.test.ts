import { argon2Sync, hkdfSync } from 'node:crypto'
import { Secret } from '@sealpost/kernel'
import { expect, test } from 'vitest'
import { createCryptoPlatform } from '../platform.ts'
import { taken } from '../testing/taken.ts'
import { generateKeyPair } from './key-pair.ts'
import { isPasswordWrap, unwrapByPassword, wrapByPassword } from './password-wrap.ts'
import { type Argon2id, createKdfParameters, derivePasswordKeys } from './password.ts'

const platform = createCryptoPlatform(globalThis)

const argon2id: Argon2id = async ({ password, salt, memoryKib, passes, lanes, outputBytes }) =>
  argon2Sync('argon2id', {
    message: password,
    nonce: salt,
    memory: memoryKib,
    passes,
    parallelism: lanes,
    tagLength: outputBytes,
  })

test('new parameters are the agreed ones, with a fresh salt', () => {
  const kdf = createKdfParameters(platform)
  expect(kdf).toMatchObject({ alg: 'argon2id', memory_kib: 65_536, passes: 3, lanes: 1 })
  expect(Buffer.from(kdf.salt, 'base64').length).toBe(16)
  expect(createKdfParameters(platform).salt).not.toBe(kdf.salt)
})

test('the password gives a verifier that leaves the device and a key that does not', async () => {
  const kdf = createKdfParameters(platform)
  const { authVerifier, wrapKey } = taken(await derivePasswordKeys(platform, argon2id, new Secret('ﬁne'), kdf))
  const salt = Buffer.from(kdf.salt, 'base64')
  const cost = { memory: 65_536, passes: 3, parallelism: 1, tagLength: 32 }
  const master = argon2Sync('argon2id', { message: Buffer.from('fine'), nonce: salt, ...cost })
  expect(authVerifier.reveal()).toBe(Buffer.from(hkdfSync('sha256', master, '', 'auth', 32)).toString('base64'))
  expect(String(authVerifier)).toBe('[secret]')
  expect(wrapKey.extractable).toBe(false)
})

test('a private key wrapped by the password opens with it and with no other', async () => {
  const kdf = createKdfParameters(platform)
  const derive = async (password: string) =>
    taken(await derivePasswordKeys(platform, argon2id, new Secret(password), kdf)).wrapKey
  const { privateKey } = await generateKeyPair(platform)
  const wrap = await wrapByPassword(platform, await derive('right'), privateKey, 'account')
  expect(isPasswordWrap(platform, wrap)).toBe(true)
  const opened = taken(await unwrapByPassword(platform, await derive('right'), wrap, 'account'))
  expect(opened.reveal()).toEqual(privateKey.reveal())
  expect(await unwrapByPassword(platform, await derive('wrong'), wrap, 'account')).toEqual({
    ok: false,
    refusal: 'wrong_key',
  })
})

test('weak or excessive parameters are refused before Argon2 is called', async () => {
  const never: Argon2id = () => Promise.reject(new Error('Argon2 was called'))
  const derive = (change: object) =>
    derivePasswordKeys(platform, never, new Secret('x'), { ...createKdfParameters(platform), ...change })
  expect(await derive({ memory_kib: 32_767 })).toEqual({ ok: false, refusal: 'too_weak' })
  expect(await derive({ passes: 1 })).toEqual({ ok: false, refusal: 'too_weak' })
  expect(await derive({ memory_kib: 2 ** 24 })).toEqual({ ok: false, refusal: 'too_costly' })
  expect(await derive({ alg: 'argon2d' })).toEqual({ ok: false, refusal: 'kdf_invalid' })
})
