import { Secret } from '@sealpost/kernel'
import { openDeviceSigner, passcodeSecret } from '@sealpost/vault'
import { expect, test } from 'vitest'
import type { SessionClient } from '../context.ts'
import { openKit, type SessionKit } from '../testing/session-kit.ts'
import { addPasscode } from './devices.ts'
import { closeAccount } from './lock.ts'
import { assertionOf } from './proof.ts'

const CURVE = { name: 'ECDSA', namedCurve: 'P-256' } as const
const PASSCODE = '482913'
const CHALLENGE = 'A'.repeat(43)

interface Registered {
  publicKey: string
}

/** A device on which the person has set a passcode. */
async function passcodeDevice(): Promise<{ readonly kit: SessionKit; readonly registered: Registered }> {
  const registered: Registered = { publicKey: '' }
  const security = {
    requestDeviceOptions: async () => ({ challenge: CHALLENGE }),
    addDevice: async ({ public_key: publicKey }: { readonly public_key: string }) => {
      registered.publicKey = publicKey
      return { id: 'd1' }
    },
  }
  const kit = await openKit({ security: security as unknown as Partial<SessionClient['security']> })
  const { open } = kit.context
  if (open === null) throw new Error('no account is open')
  const login = { authVerifier: new Secret('verifier') } as unknown as NonNullable<typeof open.login>
  kit.context.open = { ...open, login }
  await addPasscode(kit.context, { passcode: PASSCODE, name: 'Desk' })
  return { kit, registered }
}

const { kit, registered } = await passcodeDevice()

const binary = (bytes: Uint8Array): string => Array.from(bytes, (byte) => String.fromCharCode(byte)).join('')

function decoded(base64: string): string {
  try {
    return atob(base64)
  } catch {
    return ''
  }
}

const bytesOf = (base64: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))

/** Everything that a script or a thief can read of this device, without what only WebCrypto can use. */
function restingOn({ database }: SessionKit): { readonly keys: readonly CryptoKey[]; readonly text: string } {
  const keys: CryptoKey[] = []
  const texts: string[] = []
  const walk = (value: unknown): void => {
    if (value instanceof CryptoKey) keys.push(value)
    else if (value instanceof Uint8Array) texts.push(binary(value))
    else if (typeof value === 'string') texts.push(value, decoded(value))
    else if (typeof value === 'object' && value !== null) Object.values(value).forEach(walk)
  }
  database.everything().forEach(walk)
  return { keys, text: texts.join('\n') }
}

test('a device signs with the passcode, and no other key than the registered one', async () => {
  const made = await assertionOf(kit.context, { passcode: PASSCODE }, 'a text')
  if (!('signature' in made)) throw new Error('another kind of assertion')
  const spki = bytesOf(registered.publicKey)
  const key = await crypto.subtle.importKey('spki', spki, CURVE, false, ['verify'])
  const [signature, content] = [bytesOf(made.signature), new TextEncoder().encode('a text')]
  expect(await crypto.subtle.verify({ name: 'ECDSA', hash: 'SHA-256' }, key, signature, content)).toBe(true)
})

test('who reads what rests on a locked device finds no key that signs, and nothing in the clear', async () => {
  const { open } = kit.context
  closeAccount(kit.context)
  const { keys, text } = restingOn(kit)
  // The key that makes a passcode useless elsewhere: it signs nothing that the platform takes.
  expect(keys.map(({ algorithm, extractable }) => [algorithm.name, extractable])).toEqual([['HMAC', false]])
  const unlock = (await kit.store.read())?.unlock
  if (unlock?.kind !== 'passcode') throw new Error('no passcode was set')
  const secret = await passcodeSecret(PASSCODE, unlock.salt, unlock.deviceKey)
  const signer = await openDeviceSigner(unlock.signer, secret)
  const key = await crypto.subtle.importKey('pkcs8', signer.reveal(), CURVE, true, ['sign'])
  const { d = '' } = await crypto.subtle.exportKey('jwk', key)
  const scalar = atob(d.replaceAll('-', '+').replaceAll('_', '/'))
  expect(scalar).toHaveLength(32)
  for (const hidden of [scalar, binary(signer.reveal()), binary(kit.privateKey.reveal())])
    expect(text.includes(hidden.slice(0, 32))).toBe(false)
  const guessed = await passcodeSecret('482914', unlock.salt, unlock.deviceKey)
  await expect(openDeviceSigner(unlock.signer, guessed)).rejects.toMatchObject({ refusal: 'wrong_key' })
  await expect(openDeviceSigner(unlock.wrap, secret)).rejects.toMatchObject({ refusal: 'wrong_key' })
  kit.context.open = open
})

test('an open account without the passcode signs nothing, and wrong passcodes are counted', async () => {
  await expect(assertionOf(kit.context, { passcode: '000000' }, 'a text')).rejects.toMatchObject({
    failure: { kind: 'own', key: 'passcode_wrong' },
  })
  expect((await kit.store.read())?.unlock).toMatchObject({ failedTries: 1 })
  expect(restingOn(kit).keys.map(({ algorithm }) => algorithm.name)).toEqual(['HMAC'])
})

test('a device whose signing key was a handle has to be set up again', async () => {
  const { privateKey } = await crypto.subtle.generateKey(CURVE, false, ['sign'])
  await kit.store.update((record) => {
    if (record.unlock?.kind !== 'passcode') throw new Error('no passcode was set')
    return { ...record, unlock: { ...record.unlock, signer: privateKey as never } }
  })
  expect((await kit.store.read())?.unlock).toBeNull()
})
