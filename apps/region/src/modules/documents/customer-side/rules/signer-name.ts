import type { PersonName } from '../../../vault/index.ts'

/** More would only be words of a sentence. */
const MOST_SPLITS = 8

/** The ways to read a display name as first and last name, the usual one first: the last word is the last name. */
export function splitName(displayName: string): readonly PersonName[] {
  const words = displayName.trim().split(/\s+/)
  const places = Array.from({ length: Math.min(words.length - 1, MOST_SPLITS) }, (_, index) => words.length - 1 - index)
  return places.map((place) => ({
    firstName: words.slice(0, place).join(' '),
    lastName: words.slice(place).join(' '),
  }))
}
