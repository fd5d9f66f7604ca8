import { expect, test } from 'vitest'
import { isAllowedHeaderName } from './header-name.ts'

test.each(['Authorization', 'authorization', 'X-Api-Key', 'x-token', "!#$%&'*+.^_`|~", 'X-Platformer', 'Contents'])(
  '%s may be sent',
  (name) => {
    expect(isAllowedHeaderName(name, 'Platform')).toBe(true)
  },
)

test.each([
  'Host',
  'HOST',
  'Content-Type',
  'content-length',
  'Content-Anything',
  'webhook-id',
  'Webhook-Signature',
  'webhook-anything',
  'X-Platform-Signature',
  'x-platform-anything',
  'Transfer-Encoding',
  'connection',
  'Upgrade',
  'Expect',
  'Proxy-Authorization',
  'proxy-connection',
  'two words',
  'colon:',
  'line\r\nbreak',
  'ümlaut',
  'a(b)',
  '',
])('%j is refused', (name) => {
  expect(isAllowedHeaderName(name, 'Platform')).toBe(false)
})

test('the name that an installation gives its own headers is taken too', () => {
  expect(isAllowedHeaderName('X-Sealpost-Event', 'Sealpost')).toBe(false)
  expect(isAllowedHeaderName('X-Sealpost-Event', 'Platform')).toBe(true)
  expect(isAllowedHeaderName('X-Platform-Event', 'Sealpost')).toBe(false)
})
