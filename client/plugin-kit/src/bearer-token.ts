import { type Bytes, isEqualInConstantTime } from '@sealpost/crypto'
import { Secret } from '@sealpost/kernel'
import { PLUGIN_LIMITS } from '@sealpost/plugin'
import { DefinitionError } from './definition-error.ts'
import { hostPlatform } from './host.ts'

/** Whether an `Authorization` header carries the token. */
export type CheckToken = (authorization: string | undefined) => Promise<boolean>

const VISIBLE_ASCII = /^[\x21-\x7e]+$/

/** Compares hashes in constant time: neither content nor length of the token shows in the time of an answer. */
export async function tokenCheck(token: string | undefined): Promise<CheckToken> {
  if (token === undefined) return () => Promise.resolve(true)
  if (!VISIBLE_ASCII.test(token) || token.length > PLUGIN_LIMITS.tokenCharacters) {
    throw new DefinitionError([
      `token must be 1 to ${PLUGIN_LIMITS.tokenCharacters} visible ASCII characters; leave it out for none`,
    ])
  }
  const expected = new Secret(await digest(token))
  return async (authorization = '') => {
    const [, given = ''] = /^bearer +(\S+)$/i.exec(authorization) ?? []
    return isEqualInConstantTime(await digest(given), expected.reveal())
  }
}

async function digest(text: string): Promise<Bytes> {
  const { crypto, utf8 } = hostPlatform()
  return new Uint8Array(await crypto.subtle.digest('SHA-256', utf8.encode(text) ?? new Uint8Array()))
}
