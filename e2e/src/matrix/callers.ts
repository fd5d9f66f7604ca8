import type { Who } from './who.ts'

export type RegionName = 'eu' | 'us'

/** The account whose objects a caller works with; examples create objects for an owner. */
export interface Owner {
  readonly name: string
  readonly type: 'company' | 'person'
  readonly home: RegionName
  readonly userId: string
}

/** A caller with a token that is valid, at least at one place. */
export interface KnownCaller<O extends Owner = Owner> {
  readonly name: string
  readonly token: string
  /** The kinds of the table that this caller is. */
  readonly is: readonly Who[]
  /** The data API refuses registered clients and sessions with different keys. */
  readonly by: 'client' | 'session'
  readonly owner: O
}

/** A caller without a valid token: every route that needs one refuses it. */
export interface UnknownCaller<O extends Owner = Owner> {
  readonly name: string
  readonly token: string | null
  readonly refusal: 'auth.token_missing' | 'auth.token_invalid' | 'auth.expired'
  /** For a revoked token: only the home region knows of it, other processes treat it as valid. */
  readonly was?: Pick<KnownCaller<O>, 'is' | 'by' | 'owner'>
}

export type MatrixCaller<O extends Owner = Owner> = KnownCaller<O> | UnknownCaller<O>

export function isKnown<O extends Owner>(caller: MatrixCaller<O>): caller is KnownCaller<O> {
  return 'is' in caller
}
