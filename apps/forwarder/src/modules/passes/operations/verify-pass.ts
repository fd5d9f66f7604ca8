import type { KeyRing } from '@sealpost/access-token'
import type { Party } from '@sealpost/bus'
import { type BoundedCache, type Clock, instant } from '@sealpost/kernel'
import { ApiError, isPassClaims, PASS_ALGORITHM, PASS_SECONDS, PASS_TYPE, refuse } from '@sealpost/protocol'
import { decodeJwt, errors, jwtVerify, type JWTPayload } from 'jose'
import type { Pass } from '../model.ts'

export interface ExpectedPass {
  readonly issuer: string
  readonly audience: string
  readonly clock: Clock
  readonly rings: ReadonlyMap<Party, KeyRing>
}

/** A hundred plugins and a long name of a step. */
const LONGEST_PASS = 8192

export async function verifyPass(
  expected: ExpectedPass,
  seen: BoundedCache<string, Pass>,
  text: unknown,
): Promise<Pass> {
  if (typeof text !== 'string' || text.length > LONGEST_PASS) throw refuse('plugin.pass_invalid')
  const known = seen.get(text)
  if (known === undefined) {
    const pass = await checkSignature(expected, text)
    seen.set(text, pass)
    return pass
  }
  if (known.expiresAt > expected.clock.now()) return known
  seen.delete(text)
  throw refuse('plugin.pass_invalid')
}

async function checkSignature({ issuer, audience, clock, rings }: ExpectedPass, text: string): Promise<Pass> {
  try {
    const { region, ring } = ringOf(rings, decodeJwt(text))
    const { payload } = await jwtVerify(text, ring.find, {
      issuer,
      audience,
      typ: PASS_TYPE,
      algorithms: [PASS_ALGORITHM],
      requiredClaims: ['exp', 'iat', 'jti'],
      maxTokenAge: PASS_SECONDS,
      currentDate: new Date(clock.now()),
    })
    return passOf(payload, region)
  } catch (error) {
    if (error instanceof errors.JOSEError) throw refuse('plugin.pass_invalid')
    // A refusal of the region that was asked for its keys.
    if (error instanceof ApiError && error.key !== 'plugin.pass_invalid') throw refuse('plugin.unavailable')
    throw error
  }
}

/** The region is believed only once its own keys have verified the pass. */
function ringOf(rings: ExpectedPass['rings'], { rgn }: JWTPayload): { readonly region: Party; readonly ring: KeyRing } {
  for (const [region, ring] of rings) if (region === rgn) return { region, ring }
  throw refuse('plugin.pass_invalid')
}

function passOf(payload: JWTPayload, region: Party): Pass {
  const { exp } = payload
  if (!isPassClaims(payload) || exp === undefined) throw refuse('plugin.pass_invalid')
  return {
    kind: payload.kind,
    companyId: payload.cid,
    pluginIds: payload.pid,
    region,
    expiresAt: instant(exp * 1000),
  }
}
