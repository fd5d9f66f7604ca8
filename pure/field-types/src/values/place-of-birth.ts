import { countries } from './countries.ts'

export interface PlaceOfBirth {
  readonly city: string
  /** ISO 3166-1 alpha-2. */
  readonly country: string
}

/** The attested form of a place of birth: `Utrecht, NL`. Null when it cannot be written so. */
export function formatPlaceOfBirth({ city, country }: PlaceOfBirth): string | null {
  const text = `${city}, ${country}`
  return parsePlaceOfBirth(text) === null ? null : text
}

/** Null for free text, which is a valid value but not the verified form. */
export function parsePlaceOfBirth(text: string): PlaceOfBirth | null {
  // The last comma: cities such as "Washington, D.C." have their own.
  const comma = text.lastIndexOf(', ')
  if (comma < 0) return null
  const [city, country] = [text.slice(0, comma), text.slice(comma + 2)]
  return city !== '' && city === city.trim() && countries.has(country) ? { city, country } : null
}
