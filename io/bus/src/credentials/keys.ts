import type { Authenticator } from '@nats-io/transport-node'
import { Secret } from '@sealpost/kernel'
import type { Party } from '../parties.ts'
import { createUserSeed, openUserKey } from './nkey.ts'

/** A party's nkey seeds by region. One per server: what a server can learn of a login is of no use at another one. */
export type PartyKeys = ReadonlyMap<Party, Secret<string>>

export function createKey(): Secret<string> {
  return new Secret(createUserSeed())
}

/** The name of a key at the server; throws when the seed is not one of a user. */
export function publicKeyOf(seed: Secret<string>): string {
  return openUserKey(seed.reveal()).publicKey
}

/** Proves the key to a server, which sends a challenge at each connection. */
export function loginWith(seed: Secret<string>): Authenticator {
  const key = openUserKey(seed.reveal())
  return (challenge = '') => ({ nkey: key.publicKey, sig: challenge === '' ? '' : key.sign(challenge) })
}

/** As `NATS_KEYS` has it: `eu:SU…,us:SU…`. */
export function keysText(keys: PartyKeys): Secret<string> {
  return new Secret([...keys].map(([region, seed]) => `${region}:${seed.reveal()}`).join(','))
}
