import { createHmac } from 'node:crypto'
import { bodyOf, call } from './call.ts'
import type { LoggedIn } from './people.ts'

const PATH = '/api/account/2fa'
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** Makes logins of this account ask for a code; answers the secret. */
export async function enableCodes(user: LoggedIn, authVerifier: string, nowMs: number): Promise<string> {
  const post = (body: unknown) => bodyOf(call(user, 'POST', PATH, { body }))
  const secret = String((await post({ auth_verifier: authVerifier }))['secret'])
  await post({ code: oneTimeCode(secret, nowMs) })
  return secret
}

/** What an authenticator app shows (RFC 6238: SHA-1, 30 seconds, six digits). */
export function oneTimeCode(secret: string, nowMs: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(Math.floor(nowMs / 30_000)))
  const digest = createHmac('sha1', base32Bytes(secret)).update(counter).digest()
  const offset = (digest.at(-1) ?? 0) & 0xf
  return String((digest.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, '0')
}

export function base32Bytes(text: string): Buffer {
  const bits = Array.from(text.replaceAll('=', ''), (letter) => ALPHABET.indexOf(letter).toString(2).padStart(5, '0'))
  return Buffer.from((bits.join('').match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
}
