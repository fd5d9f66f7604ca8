import { expect, test } from 'vitest'
import { openCars, testKey } from '../test/car-plugin.ts'
import { isVouched } from '../test/vouching.ts'
import { createPrivateKey, DefinitionError, rollOverKey } from './index.ts'

const [first, second, third] = [await testKey(), await createPrivateKey(), await createPrivateKey()]
const toSecond = await rollOverKey({ previous: first, next: second })
const toThird = await rollOverKey({ previous: second, next: third, earlier: toSecond })

test('a plugin that starts with a new key serves how the former keys vouch for it', async () => {
  const earlier = (await openCars({ key: first })).manifest()
  expect(earlier.key_rollovers).toEqual([])
  const plugin = await openCars({ key: third, keyRollovers: toThird })
  expect(await isVouched(earlier.public_key, plugin.manifest())).toBe(true)
  const { body } = await plugin.handle({ method: 'GET', path: '/manifest', authorization: undefined })
  expect(body['key_rollovers']).toEqual(toThird)
})

test('a rotation while the plugin serves resolves with the list for the next start', async () => {
  const plugin = await openCars({ key: second, keyRollovers: toSecond })
  const kept = await plugin.rotate(third)
  expect(kept).toHaveLength(2)
  const restarted = await openCars({ key: third, keyRollovers: kept })
  expect(restarted.manifest()).toEqual(plugin.manifest())
})

test('the same key again needs no signature', async () => {
  expect(await rollOverKey({ previous: second, next: second, earlier: toSecond })).toBe(toSecond)
})

test('of many changes the latest sixteen are kept', async () => {
  let rollovers = toThird
  for (let change = 0; change < 8; change += 1) {
    rollovers = await rollOverKey({ previous: third, next: second, earlier: rollovers })
    rollovers = await rollOverKey({ previous: second, next: third, earlier: rollovers })
  }
  expect(rollovers).toHaveLength(16)
  await openCars({ key: third, keyRollovers: rollovers })
  await expect(openCars({ key: third, keyRollovers: [...toThird, ...rollovers] })).rejects.toThrow('16 entries')
})

test.each([
  ['that leads to another key', first, toThird],
  ['with a gap', third, toThird.slice(0, 1)],
  [
    'with the signature of another change',
    third,
    toThird.map((one) => ({ ...one, signature: toSecond[0]?.signature ?? '' })),
  ],
])('a list %s is refused at the start', async (_, key, keyRollovers) => {
  await expect(openCars({ key, keyRollovers })).rejects.toThrow(DefinitionError)
})
