import { Secret } from '@sealpost/kernel'
import { expect, test } from 'vitest'
import {
  createAccountKeys,
  createDeviceKey,
  deriveLogin,
  deriveRecoverableLogin,
  loginByRecoveryCode,
  newKdf,
  newPasscodeSalt,
  openOnDevice,
  openPrivateKey,
  passcodeSecret,
  wrapForDevice,
} from './index.ts'

const CHEAP = { memoryKib: 32_768, passes: 2 }
const kdf = newKdf(CHEAP)
const { login, recoveryCode } = await deriveRecoverableLogin('correct horse', kdf)
const keys = await createAccountKeys(login.wrapKey)

test('the recovery code proves and opens what the password does', async () => {
  const typed = recoveryCode.reveal().toLowerCase().replaceAll('-', ' ')
  const recovered = await loginByRecoveryCode(typed)
  const byPassword = await deriveLogin('correct horse', kdf)
  expect(recovered.authVerifier.reveal()).toBe(byPassword.authVerifier.reveal())
  const opened = await openPrivateKey(keys.encryptedPrivateKey, recovered.wrapKey)
  expect(opened.reveal()).toEqual(keys.privateKey.reveal())
  expect(String(recoveryCode)).toBe('[secret]')
  await expect(loginByRecoveryCode(typed.slice(1))).rejects.toMatchObject({ refusal: 'not_a_recovery_code' })
})

test('a key on a device opens with the secret of its passkey and no other', async () => {
  const secret = new Secret(crypto.getRandomValues(new Uint8Array(32)))
  const wrap = await wrapForDevice(keys.privateKey, secret)
  expect((await openOnDevice(wrap, secret)).reveal()).toEqual(keys.privateKey.reveal())
  const other = new Secret(crypto.getRandomValues(new Uint8Array(32)))
  await expect(openOnDevice(wrap, other)).rejects.toMatchObject({ refusal: 'wrong_key' })
})

test('a passcode is worth nothing without the key of its device, which cannot be exported', async () => {
  const [salt, deviceKey] = [newPasscodeSalt(), await createDeviceKey()]
  const wrap = await wrapForDevice(keys.privateKey, await passcodeSecret('482913', salt, deviceKey))
  expect((await openOnDevice(wrap, await passcodeSecret('482913', salt, deviceKey))).reveal()).toEqual(
    keys.privateKey.reveal(),
  )
  const wrong = [passcodeSecret('482914', salt, deviceKey), passcodeSecret('482913', salt, await createDeviceKey())]
  for (const secret of wrong) await expect(openOnDevice(wrap, await secret)).rejects.toThrow('sealed for another key')
  expect(deviceKey.extractable).toBe(false)
})
