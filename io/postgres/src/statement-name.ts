const LIMIT = 1000
const names = new Map<string, string>()

/**
 * A short, stable name for a statement's text, so that each connection prepares it once. Texts with lists of varying
 * length would fill every backend's memory: above the limit they are not named.
 */
export function statementName(text: string): string | null {
  const known = names.get(text)
  if (known !== undefined) return known
  if (names.size >= LIMIT) return null
  const name = `s${names.size}`
  names.set(text, name)
  return name
}
