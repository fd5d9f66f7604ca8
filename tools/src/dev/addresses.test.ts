import { expect, test } from 'vitest'
import { checkoutName } from '../infra/local-folder.ts'
import { addressesAt, claimFirstOffset, givenOffset } from './addresses.ts'

test('all ports of development move together', () => {
  const [usual, moved] = [addressesAt(0), addressesAt(1000)]
  expect(usual.frontDoor).toEqual({ port: 8080, internalPort: 8081 })
  expect(moved.frontDoor).toEqual({ port: 9080, internalPort: 9081 })
  expect(moved.person - usual.person).toBe(1000)
  expect(givenOffset({})).toBeNull()
  expect(givenOffset({ SEALPOST_PORT_OFFSET: '250' })).toBe(250)
  for (const wrong of ['x', '1.5', '-9000', '60000'])
    expect(() => givenOffset({ SEALPOST_PORT_OFFSET: wrong })).toThrow('SEALPOST_PORT_OFFSET')
})

test('two starts at the same time choose different ports', async () => {
  const chosen = await Promise.all([claimFirstOffset(), claimFirstOffset()])
  for (const { release } of chosen) release()
  expect(new Set(chosen.map(({ offset }) => offset)).size).toBe(2)
})

test('a checkout has a name of its own, or the one that is given', () => {
  expect(checkoutName({})).toMatch(/^[0-9a-f]{8}$/)
  expect(checkoutName({ SEALPOST_NAME: 'mine' })).toBe('mine')
  expect(() => checkoutName({ SEALPOST_NAME: 'drop table' })).toThrow('SEALPOST_NAME')
})
