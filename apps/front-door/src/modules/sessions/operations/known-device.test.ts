import { Secret, type UserId } from '@sealpost/kernel'
import { expect, test } from 'vitest'
import type { Platform } from '../../../platform/module.ts'
import { findKnownDevice, makeKnownDevice } from './known-device.ts'

const platformWith = (key: string) =>
  ({ settings: { DIRECTORY_KEY: new Secret(key) }, ids: { clientSecret: () => 'device' } }) as Platform
const platform = platformWith('a-directory-key-of-32-characters')
const [ana, ben] = ['019a0000-0000-7000-8000-00000000000a' as UserId, '019a0000-0000-7000-8000-00000000000b' as UserId]
const token = makeKnownDevice(platform, ana, [])

test('a token is known for its own account, under the same key, unchanged', () => {
  const other = new Secret('x.y')
  expect(findKnownDevice(platform, ana, [other, token])).toBe('device')
  expect(findKnownDevice(platform, ben, [token])).toBeNull()
  expect(findKnownDevice(platformWith('another-directory-key-of-32-char'), ana, [token])).toBeNull()
  for (const text of ['', '.', 'device', 'device.', `x${token.reveal()}`, token.reveal().slice(0, -2)]) {
    expect(findKnownDevice(platform, ana, [new Secret(text)])).toBeNull()
  }
})

test('a known device keeps its id, so that each login does not open a fresh limit', () => {
  const later = { ...platform, ids: { ...platform.ids, clientSecret: () => 'another' } }
  expect(makeKnownDevice(later, ana, [token]).reveal()).toBe(token.reveal())
  expect(findKnownDevice(later, ben, [makeKnownDevice(later, ben, [token])])).toBe('another')
})
