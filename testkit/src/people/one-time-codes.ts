import { createHmac } from 'node:crypto'
import type { LoggedIn } from './people.ts'

/** Makes logins of this account ask for a code; answers the secret. */
export async function enableCodes({ apiUrl, token }: LoggedIn, authVerifier: string, nowMs: number): Promise<string> {
  const post = async (body: unknown): Promise<Record<string, unknown>> => {
    const answer = await fetch(`${apiUrl}/api/account/2fa`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    if (answer.status !== 200) throw new Error(`2fa answered ${answer.status}: ${await answer.text()}`)
    const told: unknown = JSON.parse(await answer.text())
    return typeof told === 'object' ? { ...told } : {}
  }
  const secret = String((await post({ auth_verifier: authVerifier }))['secret'])
  await post({ code: codeAt(secret, nowMs) })
  return secret
}

/** RFC 6238: SHA-1, 30 seconds, six digits. */
export function codeAt(secret: string, nowMs: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(Math.floor(nowMs / 30_000)))
  const digest = createHmac('sha1', base32(secret)).update(counter).digest()
  const offset = (digest.at(-1) ?? 0) & 0xf
  return String((digest.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, '0')
}

function base32(text: string): Buffer {
  const bits = Array.from(text, (letter) =>
    'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0'),
  )
  const bytes = bits.join('').match(/.{8}/g) ?? []
  return Buffer.from(bytes.map((byte) => Number.parseInt(byte, 2)))
}
