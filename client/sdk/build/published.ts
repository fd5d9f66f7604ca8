import { join } from 'node:path'

export const REPOSITORY = join(import.meta.dirname, '../../..')

/** A package that companies and authors install. */
export interface Published {
  /** Below the root of the repository: `client/sdk`. */
  readonly folder: string
  /** Entry points: name in the package and file below `src`. */
  readonly entries: Readonly<Record<string, string>>
  /** Settings of the compiler for the types, each for some of the entries. */
  readonly settings: readonly string[]
  /** Entries that are commands for a terminal and not modules to import. */
  readonly commands?: readonly string[]
  /** Below the folder, where the README of the folder is for its developers. */
  readonly readme?: string
}
