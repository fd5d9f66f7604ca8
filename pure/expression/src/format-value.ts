import { numberText } from './numbers.ts'

/**
 * A value as text, also in a shown constant: not localised, null as empty text. A list, such as the answer to a
 * multiselect, becomes its JSON.
 */
export function formatValue(value: unknown): string {
  if (typeof value === 'string') return value
  if (typeof value === 'number') return Number.isFinite(value) ? numberText(value) : ''
  if (typeof value === 'boolean') return String(value)
  return typeof value === 'object' && value !== null ? jsonText(value) : ''
}

/** Values that JSON cannot represent (too deep, circular) never came over the wire and become empty text. */
function jsonText(value: object): string {
  try {
    return JSON.stringify(value) ?? ''
  } catch {
    return ''
  }
}
