import Type, { type TSchema } from 'typebox'
import { pascal } from '../names.ts'
import type { EventEntry } from './entry.ts'

/** The schema of an event under the name that it has in the documents; `prefix` tells the two feeds apart. */
export function namedEvent(kind: string, { about, schema }: EventEntry, prefix = ''): TSchema {
  return Type.Unsafe({ ...schema, title: `${prefix}${pascal(kind)}Event`, description: about })
}
