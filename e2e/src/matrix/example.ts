import type { MatrixCaller } from './callers.ts'
import type { Place } from './expectation.ts'
import type { World, WorldOwner } from './world.ts'

/** The parts of a request beside method, path and token. */
export interface Parts {
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string>>
  readonly body?: Readonly<Record<string, unknown>>
  readonly headers?: Readonly<Record<string, string>>
}

export interface Making {
  readonly world: World
  /** The owner of the objects in the request. */
  readonly owner: WorldOwner
  /** Null for a request that is refused, or that is only built for its ids. */
  readonly caller: MatrixCaller<WorldOwner> | null
}

export interface Refused {
  readonly status: number
  readonly key: string | undefined
}

export interface Example {
  /** Builds a request that the route accepts; once per cell that passes, so it may consume objects. */
  readonly make?: (making: Making) => Parts | Promise<Parts>
  /** The answer to a caller that passes, where it is not the documented success. */
  readonly answers?: (cell: { readonly caller: MatrixCaller<WorldOwner>; readonly place: Place }) => Refused | undefined
  /** Parameters of the path that are no ids of owned objects. */
  readonly notObjects?: readonly string[]
  /** Its objects belong to the account as a whole, so those of its other services are not foreign. */
  readonly ofAccount?: true
}

export type Examples = Readonly<Record<string, Example>>
