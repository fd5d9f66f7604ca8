import { createHash } from 'node:crypto'
import { importOpeningKey, openWrapper } from '@sealpost/crypto'
import { Secret } from '@sealpost/kernel'
import { createPrivateKey, rollOverKey } from '@sealpost/plugin-kit'
import { expect, test } from 'vitest'
import { type Desk, type DeskOptions, keys, openDesk, publicKeyOf, reasonOf } from '../../test/plugin-desk.ts'
import { PLUGIN, refusal } from '../../test/stub-forwarder.ts'
import { COMPANY } from '../../test/stub-run.ts'
import { hostPlatform } from '../keys/host.ts'
import { memoryPins } from '../keys/pins.ts'

// A lying region or forwarder with a key pair of its own: none of what it says makes a client seal a question to it.
const attacker = await createPrivateKey()
const { base64 } = hostPlatform()
const attackerKey = publicKeyOf(attacker)
const attackerPrint = printOf(attackerKey)

function printOf(publicKey: string): string {
  return createHash('sha256').update(Buffer.from(publicKey, 'base64')).digest('hex')
}

/** The questions that the attacker can open. */
const readByAttacker = (desk: Desk) => readBy(attacker, desk)

async function readBy(pem: string, { forwarder }: Desk): Promise<readonly unknown[]> {
  const der = base64.decode(pem.replaceAll(/-----[^-]+-----|\s/g, '')) ?? new Uint8Array()
  const key = await importOpeningKey(hostPlatform(), new Secret(der))
  if (!key.ok) throw new Error(key.refusal)
  const read: unknown[] = []
  for (const { body } of forwarder.received) {
    const { request } = JSON.parse(body) as { readonly request: string }
    const opened = await openWrapper(hostPlatform(), key.value, request)
    if (opened.ok) read.push(JSON.parse(opened.value))
  }
  return read
}

const changed = (members: object = {}) => refusal(409, 'plugin.key_changed', { public_key: attackerKey, ...members })

test('a new key that nothing vouches for gets no question, after the key was used', async () => {
  await using desk = await openDesk()
  const offer = await desk.open()
  await offer.options('product')
  desk.forwarder.refusals.push(changed())
  const error = await reasonOf(offer.options('product'))
  expect(await readByAttacker(desk)).toEqual([])
  expect(error).toMatchObject({ name: 'PluginError', reason: 'key_changed' })
})

test('the definition of a run is pinned: an input cannot be wired to another answer', async () => {
  const inputs = { amount: 'double', married: 'family' }
  await using desk = await openDesk({ inputs })
  await (await desk.open()).options('product')
  Object.assign(inputs, { amount: 'income' })
  desk.forwarder.refusals.push(changed())
  const error = await reasonOf(desk.open().then((offer) => offer.options('product')))
  expect(await readByAttacker(desk)).toEqual([])
  expect(error).toMatchObject({ name: 'UntrustedAnswerError', reason: 'run_definition' })
})

test('the key of a pass is held against the pin', async () => {
  const pins = memoryPins()
  await using honest = await openDesk({ pins })
  await (await honest.open()).options('product')
  await using desk = await openDesk({ pins, publicKey: attackerKey })
  const error = await reasonOf(desk.open().then((offer) => offer.options('product')))
  expect(await readByAttacker(desk)).toEqual([])
  expect(error).toMatchObject({ name: 'PluginError', reason: 'key_changed' })
})

test.each<[string, DeskOptions, object]>([
  ['another plugin', {}, { plugin_id: '0196a8c4-5e6f-7a10-8b2c-3d4e5f607999' }],
  ['another wiring', { inputs: { amount: 'double' } }, { inputs: { amount: 'income' } }],
])('a pass that names %s than the definition is not followed', async (_, options, spec) => {
  await using desk = await openDesk({ ...options, spec })
  await (await desk.open(7)).options('product')
  expect(await readBy(keys[0], desk)).toMatchObject([{ inputs: { amount: 14 } }])
})

test('a chain of signatures from the pinned key leads to a new one, in a refusal and in a pass', async () => {
  const pins = memoryPins()
  await using desk = await openDesk({ pins })
  const offer = await desk.open()
  await desk.loans.rotate(await createPrivateKey())
  await desk.loans.rotate(keys[1])
  await offer.options('product')
  expect(desk.forwarder.received).toHaveLength(2)

  await using earlier = await openDesk({ pins: memoryPins() })
  await earlier.open()
  await earlier.loans.rotate(keys[1])
  expect((await earlier.open()).problem).toBeNull()
})

test('a pass that was made before the pinned key is no reason to go back to the former one', async () => {
  const pins = memoryPins()
  await using desk = await openDesk({ pins, publicKey: publicKeyOf(keys[0]) })
  const offer = await desk.open()
  await desk.loans.rotate(keys[1])
  await offer.options('product')
  desk.forwarder.passes.add('pass-2')
  const later = await desk.open()
  expect(later.problem).toBeNull()
  await later.options('product')
  expect(await readBy(keys[1], desk)).toHaveLength(2)
})

test.each<[string, () => Promise<object>]>([
  ['a former key, with a true chain', async () => ({ public_key: publicKeyOf(keys[0]), key_rollovers: await chain() })],
  ['another key, with a chain of its own', async () => ({ key_rollovers: await attackersChain(keys[1]) })],
  ['another key, with a chain that begins elsewhere', async () => ({ key_rollovers: await attackersChain(attacker) })],
  ['another key, with a chain that is none', () => Promise.resolve({ key_rollovers: [{ previous_sha256: 7 }, null] })],
  ['another key, with a chain of another form', () => Promise.resolve({ key_rollovers: 'trust me' })],
])('refused: %s', async (_, members) => {
  await using desk = await openDesk()
  const offer = await desk.open()
  await desk.loans.rotate(keys[1])
  await offer.options('product')
  desk.forwarder.refusals.push(changed(await members()))
  expect(await reasonOf(offer.options('product'))).toMatchObject({ reason: 'key_changed' })
  expect(offer.problem).toMatchObject({ reason: 'key_changed', message: expect.stringContaining('does not vouch') })
  expect(await readByAttacker(desk)).toEqual([])
})

const chain = () => rollOverKey({ previous: keys[0], next: keys[1] })

/** Entries that claim to come from the known key; the attacker can sign with its own only. */
async function attackersChain(known: string): Promise<readonly object[]> {
  const own = await rollOverKey({ previous: attacker, next: await createPrivateKey() })
  return own.map((one) => ({ ...one, previous_sha256: printOf(publicKeyOf(known)), public_key: attackerKey }))
}

test('a person who has compared the fingerprints confirms the new key, and no other one', async () => {
  const pins = memoryPins()
  await using desk = await openDesk({ pins })
  const offer = await desk.open()
  expect(offer.newKey).toBeNull()
  desk.forwarder.refusals.push(changed())
  await reasonOf(offer.options('product'))
  expect(offer.newKey).toEqual({ known: printOf(publicKeyOf(keys[0])), received: attackerPrint })
  await expect(offer.confirmKey(printOf(publicKeyOf(keys[1])))).rejects.toMatchObject({ reason: 'key_not_offered' })
  await offer.confirmKey(attackerPrint)
  expect([offer.problem, offer.newKey]).toEqual([null, null])
  await using next = await openDesk({ pins, publicKey: attackerKey })
  expect((await next.open()).problem).toBeNull()
})

test('a caller that takes every new key is asked for none', async () => {
  await using desk = await openDesk({ acceptNewPluginKeys: true })
  const offer = await desk.open()
  desk.forwarder.refusals.push(changed())
  await reasonOf(offer.options('product'))
  expect(await readByAttacker(desk)).toHaveLength(1)
})

test('keys are pinned for each company and plugin', async () => {
  const pins = new Map<string, string>()
  await using desk = await openDesk({ pins })
  await desk.open()
  const found = [...pins.keys()].filter((name) => name.startsWith('plugin:'))
  expect(found).toEqual([`plugin:${COMPANY}/${PLUGIN}`])
})
