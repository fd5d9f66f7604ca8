import { deriveAccountSecrets, generateKeyPair, newBinding, signValue } from '@sealpost/crypto'
import { beforeAll, expect, test } from 'vitest'
import { newServiceKey } from '../../test/stub-service.ts'
import { hostPlatform } from '../keys/host.ts'
import { memoryPins, pinsWhenUsed } from '../keys/pins.ts'
import type { ServiceKey } from '../keys/private-keys.ts'
import { Senders } from './senders.ts'

const CONNECTION = 'c-1'
let key: ServiceKey
let seal: (text: string) => Promise<string>
let sign: (wrapper: string, slug: string, time: number) => Promise<string>

beforeAll(async () => {
  ;({ key, seal } = await newServiceKey())
  sign = await newSigner()
})

async function newSigner(): Promise<typeof sign> {
  const { privateKey } = await generateKeyPair(hostPlatform())
  const secrets = await deriveAccountSecrets(hostPlatform(), privateKey)
  if (!secrets.ok) throw new Error(secrets.refusal)
  const binding = newBinding(hostPlatform())
  return async (wrapper, slug, time) => {
    const place = { binding, recipient: key.fingerprint, slug }
    const signed = await signValue(hostPlatform(), secrets.value.signer, place, wrapper, time)
    return signed.ok ? signed.value : ''
  }
}

const RULES = { requireSignatures: false, formerSlugs: {} }
const shown = (wrapper: string, signature: string | null, slug = 'name') => ({
  connectionId: CONNECTION,
  slug,
  wrapper,
  signature,
})

test('the first signature pins the signer: afterwards none may be missing, and no other may sign', async () => {
  const senders = new Senders(memoryPins(), RULES)
  const wrapper = await seal('Ana')
  expect(await senders.check(shown(wrapper, null), key)).toBe('unsigned')
  expect(await senders.check(shown(wrapper, await sign(wrapper, 'name', 10)), key)).toBe('signed')
  await expect(senders.check(shown(wrapper, null), key)).rejects.toMatchObject({ reason: 'signature_missing' })
  const other = await newSigner()
  const forged = shown(wrapper, await other(wrapper, 'name', 20))
  await expect(senders.check(forged, key)).rejects.toMatchObject({ reason: 'sender_changed' })
  await senders.forget(CONNECTION)
  expect(await senders.check(forged, key)).toBe('signed')
})

test('a later value replaces an earlier one and never the other way round, per slot', async () => {
  const senders = new Senders(memoryPins(), RULES)
  const [older, newer] = [await seal('old'), await seal('new')]
  const [first, second] = [await sign(older, 'name', 10), await sign(newer, 'name', 20)]
  expect(await senders.check(shown(older, first), key)).toBe('signed')
  expect(await senders.check(shown(newer, second), key)).toBe('signed')
  expect(await senders.check(shown(newer, second), key)).toBe('signed')
  await expect(senders.check(shown(older, first), key)).rejects.toMatchObject({ reason: 'replayed' })
  const sameTime = shown(older, await sign(older, 'name', 20))
  await expect(senders.check(sameTime, key)).rejects.toMatchObject({ reason: 'replayed' })
  expect(await senders.check(shown(older, await sign(older, 'home', 10), 'home'), key)).toBe('signed')
})

test('a signature for another slot or service does not count; a former slug does', async () => {
  const wrapper = await seal('Ana')
  const signature = await sign(wrapper, 'name', 10)
  const moved = shown(wrapper, signature, 'full_name')
  const senders = new Senders(memoryPins(), RULES)
  await expect(senders.check(moved, key)).rejects.toMatchObject({ reason: 'signature_mismatch' })
  const renamed = new Senders(memoryPins(), { ...RULES, formerSlugs: { full_name: ['name'] } })
  expect(await renamed.check(moved, key)).toBe('signed')
  const { key: other } = await newServiceKey()
  await expect(senders.check(shown(wrapper, signature), other)).rejects.toMatchObject({ reason: 'signature_mismatch' })
})

test('with requireSignatures an unsigned value and a file in the clear are refused', async () => {
  const senders = new Senders(memoryPins(), { ...RULES, requireSignatures: true })
  const missing = { reason: 'signature_missing' }
  await expect(senders.check(shown(await seal('x'), null), key)).rejects.toMatchObject(missing)
  expect(() => senders.checkClear({ connectionId: CONNECTION, slug: 'photo', signature: null })).toThrow('signature')
})

test('without pins the error says what to give', async () => {
  const senders = new Senders(pinsWhenUsed(undefined), RULES)
  await expect(senders.check(shown(await seal('x'), null), key)).rejects.toThrow(/filePins\(folder\).*memoryPins\(\)/)
})

test('an answer of a run has no signature, and is accepted only where no signed value was seen', async () => {
  const senders = new Senders(memoryPins(), RULES)
  const [name, nick] = [await seal('Ana'), await seal('Annie')]
  await senders.check(shown(name, await sign(name, 'name', 1)), key)
  const fromFlow = (slug: string) => ({ ...shown(nick, null, slug), isFromFlow: true })
  expect(await senders.check(fromFlow('nick'), key)).toBe('unsigned')
  await expect(senders.check(fromFlow('name'), key)).rejects.toMatchObject({ reason: 'signature_missing' })
  await expect(senders.check(shown(nick, null, 'nick'), key)).rejects.toMatchObject({ reason: 'signature_missing' })
  const strict = new Senders(memoryPins(), { ...RULES, requireSignatures: true })
  await expect(strict.check(fromFlow('nick'), key)).rejects.toMatchObject({ reason: 'signature_missing' })
})
