import type { Static, TObject } from 'typebox'
import type { ErrorEntry } from './entry.ts'
import { genericErrors } from './generic.ts'

export const errorCatalog = {
  ...genericErrors,
} as const satisfies Record<string, ErrorEntry>

export type ErrorCatalog = typeof errorCatalog
export type ErrorKey = keyof ErrorCatalog
export type ErrorDetails<Key extends ErrorKey> = ErrorCatalog[Key] extends { readonly details: infer D extends TObject }
  ? Static<D>
  : undefined

export function errorEntry(key: ErrorKey): ErrorEntry {
  return errorCatalog[key]
}
