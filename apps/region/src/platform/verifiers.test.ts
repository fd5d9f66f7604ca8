import { generateKeyPairSync } from 'node:crypto'
import { expect, test } from 'vitest'
import { parseVerifiers } from './verifiers.ts'

const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const jwk = publicKey.export({ format: 'jwk' })
const text = JSON.stringify(jwk)

test('reads verifiers with one key or several', () => {
  expect(parseVerifiers('')).toEqual([])
  const both = `demo_id|id_document|https://id.example|${text};\n bank|eid|https://bank.example/eid|${JSON.stringify({
    keys: [{ ...jwk, kid: 'one' }, jwk],
  })}`
  expect(parseVerifiers(both)).toEqual([
    { name: 'demo_id', method: 'id_document', issuer: 'https://id.example', keys: [jwk] },
    { name: 'bank', method: 'eid', issuer: 'https://bank.example/eid', keys: [{ ...jwk, kid: 'one' }, jwk] },
  ])
})

test.each([
  ['a name of the platform', `platform_sms|sms_code|https://a.example|${text}`],
  ['an unknown method', `demo_id|trust_me|https://a.example|${text}`],
  ['no address', `demo_id|eid|a.example|${text}`],
  ['no key', 'demo_id|eid|https://a.example|{"keys":[]}'],
  ['a key of another kind', 'demo_id|eid|https://a.example|{"kty":"oct","k":"c2VjcmV0"}'],
  ['a private key', `demo_id|eid|https://a.example|${JSON.stringify(privateKey.export({ format: 'jwk' }))}`],
  ['two of one name', `one|eid|https://a.example|${text};one|eid|https://b.example|${text}`],
])('refuses %s', (_, setting) => {
  expect(() => parseVerifiers(setting)).toThrow()
})
