import { queuedEvents } from '@sealpost/protocol'
import { expect, test } from 'vitest'
import { validateConfig } from './config.ts'

const url = 'https://receiver.example/hooks?tenant=1#part'

test('a URL is enough; all other members have defaults', () => {
  expect(validateConfig({ url })).toEqual({
    ok: true,
    value: { url, events: [], format: 'json', authType: 'hmac', encryptPayload: false, isEnabled: true },
  })
})

test.each([
  'http://receiver.example',
  'HTTPS://Receiver.Example/Hooks',
  'http://localhost:8080/',
  'http://127.0.0.1/',
  'https://[2001:db8::1]:8443/hooks',
  'https://bücher.example/haken',
  `https://receiver.example/${'a'.repeat(2000)}`,
])('%s is a valid URL', (address) => {
  expect(validateConfig({ url: address }).ok).toBe(true)
})

test.each([
  undefined,
  null,
  '',
  7,
  {},
  ['https://receiver.example'],
  'receiver.example/hooks',
  '/hooks',
  '//receiver.example/hooks',
  'ftp://receiver.example/',
  'file:///etc/passwd',
  'javascript:alert(1)',
  'https:receiver.example',
  'https:/receiver.example',
  'https://',
  'http:///hooks',
  'https://?query',
  'https://#part',
  'http://:80/',
  'https://receiver.example:99999/',
  'https://user:password@receiver.example/',
  'https://user@receiver.example/',
  ' https://receiver.example/',
  'https://receiver.example/\n',
  'https://receiver .example/',
  'https://receiver.example/\u0000',
  'https://receiver.example/\ud800',
  'https:\\\\receiver.example',
  `https://receiver.example/${'a'.repeat(2048)}`,
])('%j is not a valid URL', (address) => {
  expect(validateConfig({ url: address })).toEqual({ ok: false, refusal: 'services.webhook_url_invalid' })
})

test('every queued event kind is accepted, without duplicates', () => {
  const all = Object.keys(queuedEvents)
  expect(validateConfig({ url, events: [...all, ...all] })).toMatchObject({ ok: true, value: { events: all } })
})

test.each([
  { events: 'connection_created' },
  { events: {} },
  { events: ['connection_created', 'nothing_known'] },
  { events: ['test'] },
  { events: ['toString'] },
  { events: [7] },
  { format: 'yaml' },
  { format: 'JSON' },
  { format: null },
  { auth_type: 'digest' },
  { auth_type: '' },
  { auth_type: ['hmac'] },
])('%j is refused', (given) => {
  expect(validateConfig({ url, ...given })).toEqual({ ok: false, refusal: 'services.webhook_invalid' })
})
