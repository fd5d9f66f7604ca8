import { nkeyAuthenticator, nkeys } from '@nats-io/transport-node'
import { expect, test } from 'vitest'
import { createUserSeed, openUserKey } from './nkey.ts'

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)

test('seeds, public keys and signatures are those of the client library', () => {
  for (const seed of [createUserSeed(), new TextDecoder().decode(nkeys.createUser().getSeed())]) {
    const theirs = nkeys.fromSeed(bytes(seed))
    const ours = openUserKey(seed)
    expect(seed).toMatch(/^SU[A-Z2-7]{56}$/)
    expect(ours.publicKey).toBe(theirs.getPublicKey())
    expect(nkeyAuthenticator(bytes(seed))('a challenge')).toEqual({
      nkey: ours.publicKey,
      sig: ours.sign('a challenge'),
    })
  }
})

test('a text with an error, the seed of an account and a public key are no seeds of a user', () => {
  const seed = createUserSeed()
  const swapped = seed.replace(/^(SU.{10})(.)/, (_, start, letter) => `${start}${letter === 'A' ? 'B' : 'A'}`)
  const account = new TextDecoder().decode(nkeys.createAccount().getSeed())
  for (const text of ['', 'SU', seed.slice(1), seed.toLowerCase(), swapped, account, openUserKey(seed).publicKey])
    expect(() => openUserKey(text)).toThrow(/not (a key|the seed)/)
})
