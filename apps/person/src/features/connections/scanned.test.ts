import { expect, test } from 'vitest'
import { readAnnouncedKey, readScanned, readServiceCode } from './scanned.ts'

const APP = 'https://my.example.com'
const FRONT_DOOR = 'https://id.example.com'
const SERVICE = { kind: 'service', company: 'NRTHWD', service: 'INTAKE', fragment: '' }
const KEY = '0123456789abcdef'.repeat(4)
const REQUEST = { kind: 'request', query: '?client_id=idw_1&response_mode=detached&state=s%20t' }

test.each([
  ['NRTHWD/INTAKE', SERVICE],
  [' nrthwd / intake ', SERVICE],
  [`${APP}/connect/NRTHWD/INTAKE`, SERVICE],
  [`${APP}/connect/NRTHWD/INTAKE#k=${KEY}`, { ...SERVICE, fragment: `#k=${KEY}` }],
  [`${APP}/consent${REQUEST.query}`, REQUEST],
  [`${FRONT_DOOR}/oauth2/authorize${REQUEST.query}`, REQUEST],
])('%j leads somewhere', (text, scanned) => {
  expect(readScanned(text, APP, FRONT_DOOR)).toEqual(scanned)
})

test.each([
  '',
  'NRTHWD',
  'https://evil.example/connect/NRTHWD/INTAKE',
  'https://evil.example/consent?client_id=idw_1',
  `${FRONT_DOOR}/consent?client_id=idw_1`,
  `${FRONT_DOOR}/connect/NRTHWD/INTAKE`,
  `${APP}/oauth2/authorize?client_id=idw_1`,
  `${APP}/settings/delete`,
  `${APP}/connect/NRTHWD/INTAKE/more`,
  `${APP}/connect/NRTHWD/<b>`,
  `${APP}/connect/NRTHWD/INTAKE#k=${KEY.slice(1)}`,
  `${APP}/connect/NRTHWD/INTAKE#key=${KEY}`,
  'javascript:alert(1)',
  'WIFI:T:WPA;S:cafe;P:secret;;',
])('%j leads nowhere', (text) => {
  expect(readScanned(text, APP, FRONT_DOOR)).toBeNull()
})

test('the code of a service has two parts', () => {
  expect(readServiceCode('nrthwd/in_take-2')).toEqual({ company: 'NRTHWD', service: 'IN_TAKE-2' })
  for (const text of ['NRTHWD', 'A/B/C', '/B', 'A/', 'A B/C']) expect(readServiceCode(text)).toBeNull()
})

test('a link names a key, or none; one that was cut does not pass for none', () => {
  expect(readAnnouncedKey('')).toEqual({ key: null })
  expect(readAnnouncedKey(`#k=${KEY.toUpperCase()}`)).toEqual({ key: KEY })
  for (const cut of ['#', '#k=', `#k=${KEY.slice(1)}`, `#k=${KEY}0`, `#k=${KEY}&x=1`, `#x=1&k=${KEY}`])
    expect(readAnnouncedKey(cut)).toBeNull()
})
