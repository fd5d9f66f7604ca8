/** The capability groups that an account client may hold. */
export const CAPABILITIES = [
  'service_management',
  'company_profile_fields',
  'customer_connections',
  'oauth_apps',
  'delegate_management',
] as const

export type Capability = (typeof CAPABILITIES)[number]

/**
 * Whom a row of the table can let in:
 * - `service`: the data client of a service;
 * - `account`: every account client, by the baseline; `account:<group>`: one that holds the group;
 * - `app`: a sign-in app with a person's grant;
 * - `portal`: the company itself, logged in; `admin`, `operator`: a delegate of it in that role;
 * - `person`: a person, logged in.
 */
export type Who = 'service' | 'account' | `account:${Capability}` | 'app' | 'portal' | 'admin' | 'operator' | 'person'

export interface Row {
  /** Which processes serve it. A route of a region sends callers on from anywhere else; the others are not there. */
  readonly at: 'region' | 'front door' | 'both'
  readonly may: readonly Who[] | 'anybody'
}

/** Served by the caller's home region, to those named. */
export function region(...may: readonly Who[]): Row {
  return { at: 'region', may }
}

/** Needs no token; what the route itself checks (a client secret, a cookie, a mailed code) is its own business. */
export function open(at: Row['at']): Row {
  return { at, may: 'anybody' }
}

/** Served by the front door to those named. */
export function frontDoor(...may: readonly Who[]): Row {
  return { at: 'front door', may }
}
