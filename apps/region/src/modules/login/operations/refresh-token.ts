import { createHash, createHmac } from 'node:crypto'
import { findKey, type Ids, type Keyring, type RegionCode, Secret } from '@sealpost/kernel'

/** `eu.` and 43 random characters. The region tells the front door where to ask. */
export function newRefreshToken(region: RegionCode, ids: Ids): Secret<string> {
  return new Secret(`${region}.${ids.clientSecret()}`)
}

/** The stored form of a token: identifies it, and cannot be used as one. */
export function hashToken(token: Secret<string>): Uint8Array {
  return createHash('sha256').update(token.reveal()).digest()
}

/**
 * [Note: derived successors] A token's successor is derived from the token and a key of the server, so two tabs that
 * present the same token, or a browser that lost the answer, get the same successor although it is not stored.
 */
export function successorOf(region: RegionCode, pepper: Keyring, keyId: string, token: Secret<string>): Secret<string> {
  const named = findKey(pepper, keyId)
  if (named === null) {
    throw new Error(
      `the key ${keyId} has left SECRET_PEPPER while a session still context it: list it as the second key`,
    )
  }
  const key = createHmac('sha256', named.key.reveal()).update('sealpost session successor').digest()
  return new Secret(`${region}.${createHmac('sha256', key).update(token.reveal()).digest('base64url')}`)
}
