import type { RegionCode, UserId } from '@sealpost/kernel'
import { decodeJwt, importJWK, type JWK, type JWTPayload, SignJWT } from 'jose'
import type { InstallationEnvironment } from './installation/environment.ts'

export interface Forged {
  readonly payload?: Readonly<Record<string, unknown>>
  readonly header?: Readonly<Record<string, unknown>>
  /** Another key than the front door's. */
  readonly key?: Parameters<SignJWT['sign']>[0]
}

/** Whose front door it is: one in this process, or one of an installation. */
export interface ForgePlace {
  readonly environment: InstallationEnvironment
  readonly frontDoor: { readonly url: string }
  readonly clock: { now(): number }
}

export interface LoginClaims {
  readonly userId: UserId
  readonly userType: 'person' | 'company'
  readonly region: RegionCode
  readonly sid?: string
}

/** Signs what no honest front door would, with its very key. */
export async function forge(place: ForgePlace, base: Readonly<Record<string, unknown>>, forged: Forged = {}) {
  const { key, kid } = await signingKey(place)
  const iat = Math.floor(place.clock.now() / 1000)
  const honest = { iss: place.frontDoor.url, aud: 'platform-api', jti: 'forged', iat, exp: iat + 3600 }
  return new SignJWT({ ...honest, ...base, ...forged.payload })
    .setProtectedHeader({ alg: 'ES256', typ: 'at+jwt', kid, ...forged.header })
    .sign(forged.key ?? key)
}

export function loginClaims({ userId, userType, region, sid = 'a session' }: LoginClaims) {
  const clientId = userType === 'company' ? 'portal_web' : 'person_app'
  return { sub: userId, client_id: clientId, rgn: region, ut: userType, ep: 0, sid }
}

/** What a token says. */
export function payloadOf(token: string): JWTPayload {
  return decodeJwt(token)
}

/** The front door's public key, as an attacker reads it. */
export async function publicKey(place: ForgePlace): Promise<JWK> {
  const { d: _, ...half } = keysOf(place).find(({ alg }) => alg === 'ES256') ?? {}
  return half
}

async function signingKey(place: ForgePlace) {
  const jwk = keysOf(place).find(({ alg }) => alg === 'ES256')
  if (jwk?.kid === undefined) throw new Error('no signing key')
  return { key: await importJWK(jwk, 'ES256'), kid: jwk.kid }
}

function keysOf({ environment }: ForgePlace): readonly JWK[] {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- made by createSigningKeys
  const { keys } = JSON.parse(environment.frontDoor['SIGNING_KEYS'] ?? '') as { readonly keys: readonly JWK[] }
  return keys
}
