import type { Who } from './who.ts'

export type RegionName = 'eu' | 'us'

/** Whose objects a caller works with. Examples make what they need for an owner. */
export interface Owner {
  readonly name: string
  readonly type: 'company' | 'person'
  readonly home: RegionName
  readonly userId: string
}

/** Somebody with a token that is good, at least at one place. */
export interface KnownCaller<O extends Owner = Owner> {
  readonly name: string
  readonly token: string
  /** What of the table's words is true of this caller. */
  readonly is: readonly Who[]
  /** Registered clients and sessions of apps are refused with different words at the data API. */
  readonly by: 'client' | 'session'
  readonly owner: O
}

/** Somebody that no gate lets through, wherever a token is needed. */
export interface UnknownCaller<O extends Owner = Owner> {
  readonly name: string
  readonly token: string | null
  readonly refusal: 'auth.token_missing' | 'auth.token_invalid' | 'auth.expired'
  /** The token was revoked, which only the home knows: everybody else takes it for what it was. */
  readonly was?: Pick<KnownCaller<O>, 'is' | 'by' | 'owner'>
}

export type MatrixCaller<O extends Owner = Owner> = KnownCaller<O> | UnknownCaller<O>

export function isKnown<O extends Owner>(caller: MatrixCaller<O>): caller is KnownCaller<O> {
  return 'is' in caller
}
