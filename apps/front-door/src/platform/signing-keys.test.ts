import { inspect } from 'node:util'
import { exportJWK, generateKeyPair } from 'jose'
import { expect, test } from 'vitest'
import { parseSigningKeys } from './signing-keys.ts'

async function privateKey(alg: string) {
  const pair = await generateKeyPair(alg, { extractable: true })
  return { ...(await exportJWK(pair.privateKey)), alg, kid: alg }
}

test('private keys are neither published nor printed', async () => {
  const keys = [await privateKey('ES256'), await privateKey('RS256')]
  const parsed = parseSigningKeys(JSON.stringify({ keys }))
  const shown = JSON.stringify(parsed) + inspect(parsed, { depth: 9 })
  for (const key of keys) expect(shown).not.toContain(key.d)
  expect(parsed.publicKeys.map(({ kid }) => kid)).toEqual(['ES256', 'RS256'])
})

test('a key set without the required keys is refused with the reason', async () => {
  const es256 = await privateKey('ES256')
  expect(() => parseSigningKeys(JSON.stringify({ keys: [es256] }))).toThrow('no RS256 key')
  expect(() => parseSigningKeys(JSON.stringify({ keys: [{ ...es256, kid: undefined }] }))).toThrow('kid')
  expect(() => parseSigningKeys('{}')).toThrow('keys')
})
