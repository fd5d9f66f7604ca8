import { instant, Secret } from '@sealpost/kernel'
import type { WebhookAuthType } from '@sealpost/protocol'
import { expect, test } from 'vitest'
import { maskSecret } from '../../../platform/mask.ts'
import type { EndpointSecrets, SecretName } from '../model.ts'
import { isAllowedHeaderName, mergeSecrets, NO_SECRETS, rotateSecret, type SecretsGiven } from './secrets.ts'

const now = instant(1_800_000_000_000)
const generated = new Secret('whsec_made-just-now')
const DAY_MS = 86_400_000

function merge(given: SecretsGiven, authType: WebhookAuthType = 'none', stored: EndpointSecrets = NO_SECRETS) {
  return mergeSecrets(stored, { authType, given, generated, now, headerVendor: 'Platform' })
}

function storedWith(values: SecretsGiven, authType: WebhookAuthType = 'none'): EndpointSecrets {
  const merged = merge(values, authType)
  if (!merged.ok) throw new Error(merged.refusal)
  return merged.value.secrets
}

function textsOf({ values }: EndpointSecrets): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, secret]) => (secret === null ? [] : [[name, secret.reveal()]])),
  )
}

const refused = { ok: false, refusal: 'services.webhook_auth_invalid' }

test('hmac uses the generated secret when none is given, and only then', () => {
  expect(merge({}, 'hmac')).toMatchObject({ ok: true, value: { isGenerated: true, isChanged: true } })
  expect(textsOf(storedWith({}, 'hmac'))).toEqual({ hmac_secret: generated.reveal() })
  expect(merge({ hmac_secret: 'my own' }, 'hmac')).toMatchObject({ ok: true, value: { isGenerated: false } })
  expect(merge({}, 'none')).toMatchObject({ ok: true, value: { isGenerated: false, isChanged: false } })
})

test.each([
  ['bearer', {}],
  ['basic', {}],
  ['basic', { auth_username: 'shop' }],
  ['basic', { auth_password: 'pass' }],
  ['header', { auth_header_name: 'X-Api-Key' }],
  ['header', { auth_header_value: 'value' }],
] as const)('%s with %j lacks a needed secret', (authType, given) => {
  expect(merge(given, authType)).toEqual(refused)
})

test.each([
  { auth_token: 'two words' },
  { auth_token: 'line\nbreak' },
  { auth_token: 'tök' },
  { auth_username: 'with:colon' },
  { auth_username: 'tab\t' },
  { auth_password: '\u0000' },
  { auth_header_name: 'Host' },
  { auth_header_name: 'webhook-id' },
  { auth_header_value: 'line\r\nX-Other: 1' },
  { auth_header_value: ' padded ' },
  { auth_header_value: 'ü' },
  { hmac_secret: '\ud800' },
  { hmac_secret: '••••abcd' },
  { auth_token: '••••' },
])('%j cannot be sent and is refused for every type', (given) => {
  for (const authType of ['none', 'hmac'] as const) expect(merge(given, authType)).toEqual(refused)
})

const FULL = {
  hmac_secret: 'a signing secret',
  auth_token: 'a-bearer-token',
  auth_username: 'user-name',
  auth_password: 'pass word 123',
  auth_header_name: 'Authorization',
  auth_header_value: 'ApiKey 1234567',
} satisfies Record<SecretName, string>

test('an absent, empty or masked value keeps the secret and counts as unchanged', () => {
  const stored = storedWith(FULL)
  const masks = Object.fromEntries(Object.entries(FULL).map(([name, text]) => [name, maskSecret(text)]))
  const blanks = Object.fromEntries(Object.keys(FULL).map((name) => [name, '']))
  for (const given of [{}, masks, blanks, FULL]) {
    const merged = merge(given, 'header', stored)
    expect(merged).toMatchObject({ ok: true, value: { isChanged: false, isGenerated: false } })
    expect(merged.ok && textsOf(merged.value.secrets)).toEqual(FULL)
    expect(merged.ok && merged.value.secrets.earlier).toEqual([])
  }
})

test('null removes a secret, unless the type needs it', () => {
  const stored = storedWith(FULL)
  const { auth_token: _gone, ...left } = FULL
  const merged = merge({ auth_token: null }, 'hmac', stored)
  expect(merged.ok && textsOf(merged.value.secrets)).toEqual(left)
  expect(merge({ auth_token: null }, 'bearer', stored)).toEqual(refused)
})

test('a replaced signing secret stays valid for a day; removing it generates one with the same grace', () => {
  const stored = storedWith(FULL)
  for (const hmac_secret of ['another', null]) {
    const merged = merge({ hmac_secret }, 'hmac', stored)
    expect(merged.ok && earlierOf(merged.value.secrets)).toEqual([[FULL.hmac_secret, now + DAY_MS]])
  }
})

function rotated(stored: EndpointSecrets, text: string, graceSeconds: number, at = now): EndpointSecrets {
  const result = rotateSecret(stored, new Secret(text), at, graceSeconds)
  if (!result.ok) throw new Error(result.refusal)
  return result.value
}

function earlierOf({ earlier }: EndpointSecrets): readonly (readonly [string, number])[] {
  return earlier.map(({ secret, validUntil }) => [secret.reveal(), validUntil])
}

test('a rotation keeps each predecessor until its own end, newest first', () => {
  const twice = rotated(rotated(storedWith(FULL), 'second', 600), 'third', 60)
  expect(twice.values.hmac_secret?.reveal()).toBe('third')
  expect(earlierOf(twice)).toEqual([
    ['second', now + 60_000],
    [FULL.hmac_secret, now + 600_000],
  ])
  const later = instant(now + 60_000)
  expect(earlierOf(rotated(twice, 'fourth', 1, later)).map(([text]) => text)).toEqual(['third', FULL.hmac_secret])
  expect(earlierOf(rotated(twice, 'fourth', 0))).toEqual([])
  expect(earlierOf(rotated(NO_SECRETS, 'first', 60))).toEqual([])
})

test('a secret that is set again is the newest and not an earlier one', () => {
  const merged = merge({ hmac_secret: FULL.hmac_secret }, 'hmac', rotated(storedWith(FULL), 'second', 600))
  expect(merged.ok && earlierOf(merged.value.secrets)).toEqual([['second', now + DAY_MS]])
})

test('a tenth predecessor is refused while the others are valid', () => {
  let stored = storedWith(FULL)
  for (let count = 0; count < 9; count += 1) stored = rotated(stored, `secret ${count}`, 60)
  const tooMany = { ok: false, refusal: 'services.webhook_secret_limit' }
  expect(rotateSecret(stored, generated, now, 60)).toEqual(tooMany)
  expect(merge({ hmac_secret: 'another' }, 'hmac', stored)).toEqual(tooMany)
  expect(merge({ auth_token: 'another' }, 'hmac', stored)).toMatchObject({ ok: true })
  expect(earlierOf(rotated(stored, 'after all', 60, instant(now + 60_000)))).toHaveLength(1)
})

test.each(['Authorization', 'authorization', 'X-Api-Key', 'x-token', "!#$%&'*+.^_`|~", 'X-Platformer', 'Contents'])(
  '%s is an allowed header name',
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
])('%j is not an allowed header name', (name) => {
  expect(isAllowedHeaderName(name, 'Platform')).toBe(false)
})

test('header names with the prefix of the installation are refused too', () => {
  expect(isAllowedHeaderName('X-Sealpost-Event', 'Sealpost')).toBe(false)
  expect(isAllowedHeaderName('X-Sealpost-Event', 'Platform')).toBe(true)
  expect(isAllowedHeaderName('X-Platform-Event', 'Sealpost')).toBe(false)
})
