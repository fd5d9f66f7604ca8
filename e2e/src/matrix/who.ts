import type { Capability } from '@sealpost/protocol'

/**
 * The kinds of callers that a row of the table can allow:
 * - `service`: the data client of a service;
 * - `account`: every account client, by the baseline; `account:<group>`: one that holds the group;
 * - `app`: a sign-in app with a person's grant;
 * - `portal`: the company itself, logged in; `admin`, `operator`: a delegate of it in that role;
 * - `person`: a person, logged in.
 */
export type Who = 'service' | 'account' | `account:${Capability}` | 'app' | 'portal' | 'admin' | 'operator' | 'person'

export interface Row {
  /** The processes that serve the route. Elsewhere a route of a region answers 421, others answer 404. */
  readonly at: 'region' | 'front door' | 'both'
  readonly may: readonly Who[] | 'all'
}

/** Served by the caller's home region to the named kinds. */
export function region(...may: readonly Who[]): Row {
  return { at: 'region', may }
}

/** Needs no token; the route itself checks a client secret, a cookie or a mailed code. */
export function open(at: Row['at']): Row {
  return { at, may: 'all' }
}

/** Served by the front door to the named kinds. */
export function frontDoor(...may: readonly Who[]): Row {
  return { at: 'front door', may }
}
