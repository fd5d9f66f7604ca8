import { numberText } from './numbers.ts'

/** How a value reads where text is wanted. A list, as a multiselect's answer is, reads as its JSON. */
export function textForm(value: unknown): string {
  if (typeof value === 'string') return value
  if (typeof value === 'number') return Number.isFinite(value) ? numberText(value) : ''
  if (typeof value === 'boolean') return String(value)
  return typeof value === 'object' && value !== null ? jsonText(value) : ''
}

/** What is shown of a constant: not localised. Empty while it is pending. */
export function formatValue(value: unknown): string {
  return textForm(value)
}

/** Values that JSON cannot hold (too deep, circular) never came over the wire and read as nothing. */
function jsonText(value: object): string {
  try {
    return JSON.stringify(value) ?? ''
  } catch {
    return ''
  }
}
