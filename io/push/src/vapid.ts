import { createECDH } from 'node:crypto'
import type { Clock } from '@sealpost/kernel'
import { importJWK, SignJWT } from 'jose'

/** The key pair that names this installation to push services (RFC 8292). */
export interface VapidKey {
  /** base64url of the uncompressed point: the `applicationServerKey` of subscriptions. */
  readonly publicKey: string
  readonly privateJwk: {
    readonly kty: 'EC'
    readonly crv: 'P-256'
    readonly x: string
    readonly y: string
    readonly d: string
  }
}

const BASE64URL = /^[A-Za-z0-9_-]{43}$/
const POINT_BYTES = 65
/** RFC 8292 allows a day; push services compare it with their own clock. */
const TOKEN_SECONDS = 12 * 3600

/** Throws for a text that is no private key of P-256. */
export function readVapidKey(text: string): VapidKey {
  if (!BASE64URL.test(text)) throw new Error('a private key has 43 characters of base64url')
  const pair = createECDH('prime256v1')
  pair.setPrivateKey(text, 'base64url')
  const point = pair.getPublicKey()
  const [x, y] = [point.subarray(1, 33), point.subarray(33, POINT_BYTES)].map((part) => part.toString('base64url'))
  if (x === undefined || y === undefined) throw new Error('not a point of P-256')
  return { publicKey: point.toString('base64url'), privateJwk: { kty: 'EC', crv: 'P-256', x, y, d: text } }
}

/** A new private key as the setting takes it. */
export function makeVapidKey(): string {
  const pair = createECDH('prime256v1')
  pair.generateKeys()
  const hex = pair.getPrivateKey('hex')
  // Leading zeros are part of the key.
  return Buffer.from(hex.padStart(64, '0'), 'hex').toString('base64url')
}

/** The Authorization header for one push service. Signed with the time of `clock`. */
export async function vapidHeader(
  { publicKey, privateJwk }: VapidKey,
  subject: string,
  endpoint: URL,
  clock: Clock,
): Promise<string> {
  const key = await importJWK({ ...privateJwk }, 'ES256')
  const token = await new SignJWT({ sub: subject })
    .setProtectedHeader({ typ: 'JWT', alg: 'ES256' })
    .setAudience(endpoint.origin)
    .setExpirationTime(Math.floor(clock.now() / 1000) + TOKEN_SECONDS)
    .sign(key)
  return `vapid t=${token}, k=${publicKey}`
}
