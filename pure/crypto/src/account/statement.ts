import { decodeBase64Url } from '../codecs/base64url.ts'
import { joinBytes } from '../codecs/join-bytes.ts'
import type { CryptoPlatform } from '../platform.ts'
import { verifyEs256 } from './es256.ts'

/** The public key of a verifier, as a JWK of P-256. */
export interface VerifierJwk {
  readonly kty: string
  readonly crv?: string
  readonly x?: string
  readonly y?: string
  readonly kid?: string
}

/** The members that a verifier signed (a JWS, ES256, compact); null unless one of these keys signed it. */
export async function openStatement(
  platform: CryptoPlatform,
  keys: readonly VerifierJwk[],
  jws: string,
): Promise<Readonly<Record<string, unknown>> | null> {
  const [head = '', body = '', tag = '', ...more] = jws.split('.')
  const header = readJson(platform, head)
  const content = platform.utf8.encode(`${head}.${body}`)
  const signature = decodeBase64Url(platform.base64, tag)
  if (more.length > 0 || header?.['alg'] !== 'ES256' || content === null || signature === null) return null
  // A critical extension is unknown here, so its meaning is too.
  if ('crit' in header) return null
  for (const key of keys) {
    const point = pointOf(platform, key)
    const isMeant = header['kid'] === undefined || key.kid === undefined || header['kid'] === key.kid
    if (point === null || !isMeant) continue
    if (await verifyEs256(platform, point, signature, content)) return readJson(platform, body)
  }
  return null
}

function pointOf({ base64 }: CryptoPlatform, { kty, crv, x, y }: VerifierJwk) {
  if (kty !== 'EC' || crv !== 'P-256' || x === undefined || y === undefined) return null
  const [left, right] = [decodeBase64Url(base64, x), decodeBase64Url(base64, y)]
  if (left?.length !== 32 || right?.length !== 32) return null
  return joinBytes([Uint8Array.of(4), left, right])
}

function readJson({ base64, utf8 }: CryptoPlatform, part: string): Readonly<Record<string, unknown>> | null {
  const bytes = decodeBase64Url(base64, part)
  const text = bytes === null ? null : utf8.decode(bytes)
  try {
    const value: unknown = text === null ? null : JSON.parse(text)
    return typeof value === 'object' && value !== null ? { ...value } : null
  } catch {
    return null
  }
}
