import { createHash, createHmac } from 'node:crypto'
import { findKey, type Ids, type Keyring, type RegionCode, Secret } from '@sealpost/kernel'

/** `eu.` and 43 characters. The region is a hint for the front door; the rest is what counts. */
export function newRefreshToken(region: RegionCode, ids: Ids): Secret<string> {
  return new Secret(`${region}.${ids.clientSecret()}`)
}

/** What is stored of a token: enough to recognise it, useless to whoever reads the table. */
export function hashToken(token: Secret<string>): Uint8Array {
  return createHash('sha256').update(token.reveal()).digest()
}

/**
 * [Note: derived successors] A token's successor is made of the token itself and a key of the server, so two tabs that
 * present the same one, or a browser that lost the answer, get the same successor again without it being stored.
 */
export function successorOf(region: RegionCode, pepper: Keyring, keyId: string, token: Secret<string>): Secret<string> {
  const named = findKey(pepper, keyId)
  if (named === null) {
    throw new Error(`the key ${keyId} has left SECRET_PEPPER while a session still needs it: list it as the second key`)
  }
  const key = createHmac('sha256', named.key.reveal()).update('sealpost session successor').digest()
  return new Secret(`${region}.${createHmac('sha256', key).update(token.reveal()).digest('base64url')}`)
}
