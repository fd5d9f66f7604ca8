/** An own field that holds a value. */
export interface FilledField {
  readonly id: string
  readonly slug: string
  readonly label: string
  readonly type: string
}

/** What a service asks for. */
interface Asked {
  readonly slug: string
  readonly label: string
  readonly type: string
}

/**
 * The own fields that may answer, and the one that is surely meant. A text could be anything: a field of a plain type is
 * suggested by its name only, so that a customer number is never filled with a first name. Fields of narrower types, such
 * as a phone number for a text, are offered only if there is nothing closer.
 */
export function fittingFields(
  asked: Asked,
  filled: readonly FilledField[],
  accepts: (type: string) => boolean,
): { readonly fits: readonly string[]; readonly suggested: string | null } {
  const accepted = filled.filter(({ type }) => accepts(type))
  const same = accepted.filter(({ type }) => type === asked.type)
  const offered = same.length > 0 ? same : accepted
  const named = offered.filter((field) => isNamed(asked, field))
  const sorted = [...named, ...offered.filter((field) => !named.includes(field))]
  const isOnlyOne = same.length === 1 && !PLAIN.has(asked.type)
  const suggested = named[0] ?? (isOnlyOne ? same[0] : undefined)
  return { fits: sorted.map(({ id }) => id), suggested: suggested?.id ?? null }
}

const PLAIN = new Set(['text', 'number', 'integer', 'decimal', 'float', 'date', 'document', 'photo', 'country'])

function isNamed(asked: Asked, field: FilledField): boolean {
  const names = [field.slug, field.label].map(plain)
  return [asked.slug, asked.label].map(plain).some((name) => names.includes(name))
}

function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '')
}
