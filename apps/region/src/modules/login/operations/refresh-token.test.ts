import { parseKeyring, type RegionCode, Secret } from '@sealpost/kernel'
import { fixedClock, fixedIds } from '@sealpost/testkit'
import { expect, test } from 'vitest'
import { hashToken, newRefreshToken, successorOf } from './refresh-token.ts'

const EU = 'eu' as RegionCode
const ring = parseKeyring(`k1:${'a'.repeat(32)}`)
const both = parseKeyring(`k2:${'b'.repeat(32)},k1:${'a'.repeat(32)}`)
const token = newRefreshToken(EU, fixedIds(fixedClock()))

test('a token names its region and is stored as a hash', () => {
  expect(token.reveal()).toMatch(/^eu\.[\w-]{43}$/)
  expect(hashToken(token)).toHaveLength(32)
  expect(hashToken(new Secret(token.reveal()))).toEqual(hashToken(token))
})

test('a successor has the form of a token, and is the same for the same token and key', () => {
  const successor = successorOf(EU, ring, 'k1', token)
  expect(successor.reveal()).toMatch(/^eu\.[\w-]{43}$/)
  expect(successorOf(EU, both, 'k1', token).reveal()).toBe(successor.reveal())
  expect(successorOf(EU, both, 'k2', token).reveal()).not.toBe(successor.reveal())
  expect(successorOf(EU, ring, 'k1', successor).reveal()).not.toBe(successor.reveal())
})

test('a missing key is named, with the remedy', () => {
  expect(() => successorOf(EU, ring, 'k9', token)).toThrow('k9 has left SECRET_PEPPER')
})
