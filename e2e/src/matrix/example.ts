import type { MatrixCaller } from './callers.ts'
import type { Place } from './expectation.ts'
import type { World, WorldOwner } from './world.ts'

/** What a request holds beside method, path and token. */
export interface Parts {
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string>>
  readonly body?: Readonly<Record<string, unknown>>
  readonly headers?: Readonly<Record<string, string>>
}

export interface Making {
  readonly world: World
  /** Whose objects the request is about. */
  readonly owner: WorldOwner
  /** Null when the request is only there to be refused, or to borrow its ids. */
  readonly caller: MatrixCaller<WorldOwner> | null
}

export interface Refused {
  readonly status: number
  readonly key: string | undefined
}

export interface Example {
  /** A request that the route takes. Called anew for every cell that passes, so it may use objects up. */
  readonly make?: (making: Making) => Parts | Promise<Parts>
  /** What a caller that passes gets, where that is not the success of the document. */
  readonly answers?: (cell: { readonly caller: MatrixCaller<WorldOwner>; readonly place: Place }) => Refused | undefined
  /** Parts of the path that name nobody's object. */
  readonly notObjects?: readonly string[]
  /** Its objects belong to the account as a whole: what one of its services has is no stranger's. */
  readonly ofAccount?: true
}

export type Examples = Readonly<Record<string, Example>>
