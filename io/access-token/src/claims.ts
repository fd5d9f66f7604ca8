import { type ClientId, type Instant, instant, parseUuid, type RegionCode, type UserId } from '@sealpost/kernel'
import { refuse } from '@sealpost/protocol'
import type { JWTPayload } from 'jose'

export const AUDIENCE = 'platform-api'
export const PORTAL_WEB = 'portal_web'
export const PERSON_APP = 'person_app'
/** The `sealpost` command, which a company logs in to; one client for all companies. */
export const COMMAND_LINE = 'command_line'

/** The claims of an access token whose signature, issuer, audience and times are valid. */
export interface AccessClaims {
  /** The user, or the client itself when the token has no user. */
  readonly subject: string
  /** A machine client, or the first-party program that the token was issued for: `portal_web`, `person_app`, `command_line`. */
  readonly clientId: ClientId
  /** The company that a delegate acts for; null when the user is no delegate here. */
  readonly actingFor: UserId | null
  readonly expiresAt: Instant
  /** The home region when the token was issued: of the client's owner, of the user, or of the delegate's company. */
  readonly region: RegionCode
  readonly userType: 'person' | 'company'
  readonly epoch: number
  readonly sessionId: string
}

export function parseClaims(payload: JWTPayload): AccessClaims {
  const { sub, client_id: clientId, acc, exp, rgn, ut, ep, sid } = payload
  const actingFor = readActingFor(acc)
  const isWhole =
    typeof sub === 'string' &&
    typeof clientId === 'string' &&
    typeof exp === 'number' &&
    typeof rgn === 'string' &&
    (ut === 'person' || ut === 'company') &&
    typeof ep === 'number' &&
    typeof sid === 'string' &&
    actingFor !== undefined
  if (!isWhole) throw refuse('auth.token_invalid')
  // oxlint-disable typescript/no-unsafe-type-assertion -- the signature vouches for the brands
  return {
    subject: sub,
    clientId: clientId as ClientId,
    actingFor,
    expiresAt: instant(exp * 1000),
    region: rgn as RegionCode,
    userType: ut,
    epoch: ep,
    sessionId: sid,
  }
  // oxlint-enable typescript/no-unsafe-type-assertion
}

/** The first-party apps; their tokens are a user's login and no machine client's. */
export function isFirstParty({ clientId }: Pick<AccessClaims, 'clientId'>): boolean {
  return clientId === PORTAL_WEB || clientId === PERSON_APP
}

/** The command acts for the company that logged in, within the limits of an account client. */
export function isCommand({ clientId }: Pick<AccessClaims, 'clientId'>): boolean {
  return clientId === COMMAND_LINE
}

/** The account that a token of our own apps is for; null for machine clients, whose owner only the directory knows. */
export function accountOfToken(claims: AccessClaims): UserId | null {
  if (!isFirstParty(claims) && !isCommand(claims)) return null
  return claims.actingFor ?? parseUuid<UserId>(claims.subject)
}

/** Undefined when the claim is present but empty: such a token must not count as one without it. */
function readActingFor(claim: unknown): UserId | null | undefined {
  if (claim === undefined) return null
  return (typeof claim === 'string' ? parseUuid<UserId>(claim) : null) ?? undefined
}
