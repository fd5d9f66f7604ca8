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
  urlSetting,
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

test('a switch is on with 1 or true, off with 0 or false', () => {
  const flag = { FLAG: switchSetting({ about: 'a flag' }) }
  for (const text of ['1', 'true']) expect(readSettings(flag, { FLAG: text })).toEqual({ FLAG: true })
  for (const text of ['0', 'false']) expect(readSettings(flag, { FLAG: text })).toEqual({ FLAG: false })
  for (const text of ['', 'TRUE', 'on']) expect(() => readSettings(flag, { FLAG: text })).toThrow(SettingsError)
})

test('every problem is reported at once, by name, with the expected form', () => {
  const read = () => readSettings(table, { COUNT: '0', FLAG: 'yes', MODE: 'odd' })
  expect(read).toThrow(SettingsError)
  expect(read).toThrow(
    /NAME is missing[\s\S]*COUNT: "0" is not a whole number of at least 1[\s\S]*FLAG: "yes"[\s\S]*MODE: "odd"[\s\S]*PASSWORD is missing/,
  )
})

test('a number is held between its bounds', () => {
  const percent = { SHARE: integerSetting({ about: 'a share', min: 1, max: 100 }) }
  for (const good of ['1', '100']) expect(readSettings(percent, { SHARE: good })).toEqual({ SHARE: Number(good) })
  for (const bad of ['0', '101', '1e2', '-1', '', '5.0'])
    expect(() => readSettings(percent, { SHARE: bad })).toThrow(
      `SHARE: ${JSON.stringify(bad)} is not a whole number from 1 to 100`,
    )
})

test.each(['https://api.example.com', 'http://127.0.0.1:8080', 'http://[::1]:8080', 'http://region-eu'])(
  '%s is a valid base address',
  (url) => {
    expect(readSettings({ URL: urlSetting({ about: 'an address' }) }, { URL: url })).toEqual({ URL: url })
  },
)

test.each([
  ['api.example.com', 'it must begin with http:// or https://'],
  ['ftp://api.example.com', 'it must begin with http:// or https://'],
  ['', 'it must begin with http:// or https://'],
  ['https://api.example.com/', 'leave out the slash at its end'],
  ['https://api.example.com/v1', 'leave out everything behind the host and port'],
  ['https://api.example.com?x=1', 'leave out everything behind the host and port'],
  ['https://api.example.com#top', 'leave out everything behind the host and port'],
  ['https://name@api.example.com', 'leave out the user name'],
  ['https://', 'its host cannot be read'],
  ['https://api example.com', 'its host cannot be read'],
  ['https://api.example.com:', 'its host cannot be read'],
  ['https://api.example.com:99999', 'its port is not between 1 and 65535'],
  ['https://api.example.com:0', 'its port is not between 1 and 65535'],
])('%j is not a base address, and the reason is named', (url, reason) => {
  const read = () => readSettings({ URL: urlSetting({ about: 'an address' }) }, { URL: url })
  expect(read).toThrow(`URL: ${JSON.stringify(url)} is not an http or https address without a path (${reason})`)
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
  expect(() => parseKeyring(`k1:${key('a')},k1:${key('b')}`)).toThrow('the same id')
  expect(() => parseKeyring(`a:${key('a')},b:${key('b')},c:${key('c')}`)).toThrow('one or two')
})
