import { numberText } from './numbers.ts'

/**
 * How a value reads where text is wanted, in a shown constant too: not localised, null as nothing. A list, such as the
 * answer to a multiselect, reads as its JSON.
 */
export function formatValue(value: unknown): string {
  if (typeof value === 'string') return value
  if (typeof value === 'number') return Number.isFinite(value) ? numberText(value) : ''
  if (typeof value === 'boolean') return String(value)
  return typeof value === 'object' && value !== null ? jsonText(value) : ''
}

/** Values that JSON cannot hold (too deep, circular) never came over the wire and read as nothing. */
function jsonText(value: object): string {
  try {
    return JSON.stringify(value) ?? ''
  } catch {
    return ''
  }
}
