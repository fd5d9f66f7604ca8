import type { Chance } from '../chance.ts'

/** A way to write a file that may mean two things. */
export interface Kind {
  readonly name: string
  make(chance: Chance): Uint8Array
}
