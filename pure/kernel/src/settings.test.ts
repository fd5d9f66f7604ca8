import { expect, test } from 'vitest'
import { findKey, keyringSetting, parseKeyring } from './keyring.ts'
import {
  choiceSetting,
  integerSetting,
  listSetting,
  readSettings,
  secretSetting,
  SettingsError,
  switchSetting,
  textSetting,
} from './settings.ts'

const table = {
  NAME: textSetting({ about: 'a name' }),
  COUNT: integerSetting({ about: 'a count', fallback: '3', min: 1 }),
  FLAG: switchSetting({ about: 'a flag', fallback: '0' }),
  LIST: listSetting({ about: 'a list', fallback: '' }),
  MODE: choiceSetting({ about: 'a mode', fallback: 'calm' }, ['calm', 'wild']),
  PASSWORD: secretSetting({ about: 'a password' }),
}

test('settings are read with their defaults', () => {
  const settings = readSettings(table, { NAME: 'x', LIST: ' a, b ,', PASSWORD: 'p' })
  expect(settings).toMatchObject({ NAME: 'x', COUNT: 3, FLAG: false, LIST: ['a', 'b'], MODE: 'calm' })
  expect(settings.PASSWORD.reveal()).toBe('p')
})

test('every problem is reported at once, by name, with what would be right', () => {
  const read = () => readSettings(table, { COUNT: '0', FLAG: 'yes', MODE: 'odd' })
  expect(read).toThrow(SettingsError)
  expect(read).toThrow(
    /NAME is missing[\s\S]*COUNT: "0" is not a whole number of at least 1[\s\S]*FLAG: "yes"[\s\S]*MODE: "odd"[\s\S]*PASSWORD is missing/,
  )
})

test('a refused secret is named but never shown', () => {
  const ring = { RING: keyringSetting({ about: 'keys' }) }
  expect(() => readSettings(ring, { RING: 'short:tooshort' })).toThrow(/RING: its value is not/)
  expect(() => readSettings(ring, { RING: 'short:tooshort' })).not.toThrow(/tooshort/)
})

test('a key ring holds one or two named keys, the first of which is used', () => {
  const key = (letter: string) => letter.repeat(32)
  const ring = parseKeyring(`k2:${key('b')},k1:${key('a')}`)
  expect(ring.active.id).toBe('k2')
  expect(findKey(ring, 'k1')?.key.reveal()).toBe(key('a'))
  expect(findKey(ring, 'k0')).toBeNull()
  expect(() => parseKeyring(`k1:${key('a')},k1:${key('b')}`)).toThrow('one id')
  expect(() => parseKeyring(`a:${key('a')},b:${key('b')},c:${key('c')}`)).toThrow('one or two')
})
