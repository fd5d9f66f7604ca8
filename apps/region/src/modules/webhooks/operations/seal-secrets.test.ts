import { inspect } from 'node:util'
import { instant, parseKeyring, Secret, type WebhookId } from '@sealpost/kernel'
import { expect, test } from 'vitest'
import { openSecrets, resealSecrets, sealSecrets, secretValues } from './seal-secrets.ts'

const FIRST = `k1:${'a'.repeat(32)}`
const SECOND = `k2:${'b'.repeat(32)}`
const ring = parseKeyring(FIRST)
const id = '0196a8c4-5e6f-7a10-8b2c-000000000001' as WebhookId
const other = '0196a8c4-5e6f-7a10-8b2c-000000000002' as WebhookId
const secrets = {
  values: secretValues((name) => (name === 'auth_password' ? null : new Secret(`the ${name}`))),
  earlier: [
    { secret: new Secret('the one before'), validUntil: instant(7) },
    { secret: new Secret('an older one'), validUntil: instant(5) },
  ],
}

test('sealed secrets open unchanged, and for their own webhook only', () => {
  const sealed = sealSecrets(ring, id, secrets)
  const opened = openSecrets(ring, id, sealed)
  expect(opened?.values.hmac_secret?.reveal()).toBe('the hmac_secret')
  expect(opened?.values.auth_password).toBeNull()
  expect(opened?.earlier.map(({ secret, validUntil }) => [secret.reveal(), validUntil])).toEqual([
    ['the one before', 7],
    ['an older one', 5],
  ])
  expect(openSecrets(ring, other, sealed)).toBeNull()
  expect(openSecrets(parseKeyring(SECOND), id, sealed)).toBeNull()
})

test('neither the sealed bytes nor a print of the opened secrets contains a secret', () => {
  const sealed = sealSecrets(ring, id, secrets)
  expect(Buffer.from(sealed.bytes).includes('the ')).toBe(false)
  const opened = openSecrets(ring, id, sealed)
  expect(JSON.stringify(opened) + inspect(opened, { depth: 9 })).not.toContain('the ')
})

test('rewrapped secrets open under the new key alone', () => {
  const both = parseKeyring(`${SECOND},${FIRST}`)
  const fresh = resealSecrets(both, id, sealSecrets(ring, id, secrets))
  if (fresh === null) throw new Error('the secrets were not rewrapped')
  expect(openSecrets(parseKeyring(SECOND), id, fresh)?.values.auth_token?.reveal()).toBe('the auth_token')
  expect(resealSecrets(both, id, fresh)).toBeNull()
})
