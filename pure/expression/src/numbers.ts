const NUMERIC = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/
const EXPONENT_FROM = 1e21

/** A finite number, or text that parses as one; booleans are never numbers. */
export function toNumber(value: unknown): number | null {
  if (typeof value === 'number') return finite(value)
  if (typeof value !== 'string') return null
  const text = value.trim()
  return NUMERIC.test(text) ? finite(Number(text)) : null
}

/** Null for infinities and NaN; negative zero becomes zero. */
export function finite(value: number): number | null {
  if (!Number.isFinite(value)) return null
  return value === 0 ? 0 : value
}

/** The shortest decimal digits that name this double, written out below 1e21. */
export function numberText(value: number): string {
  if (value === 0) return '0'
  const text = String(value)
  if (Math.abs(value) >= EXPONENT_FROM || !text.includes('e')) return text
  return `${value < 0 ? '-' : ''}${writtenOut(Math.abs(value))}`
}

/**
 * Half away from zero, decided on the decimal text: 1.005 is stored as the double just below it, yet its author expects
 * 1.01.
 */
export function roundHalfAway(value: number, decimals: number): number {
  if (Number.isInteger(value)) return value === 0 ? 0 : value
  const [whole = '0', fraction = ''] = numberText(Math.abs(value)).split('.')
  if (fraction.length <= decimals) return value
  const kept = BigInt(whole + fraction.slice(0, decimals))
  const digits = String(fraction.charAt(decimals) >= '5' ? kept + 1n : kept).padStart(decimals + 1, '0')
  const point = digits.length - decimals
  const rounded = Number(`${digits.slice(0, point)}.${digits.slice(point)}`)
  return value < 0 && rounded !== 0 ? -rounded : rounded
}

/** Only numbers below 1e-6 have an exponent here, as in `1.5e-7`. */
function writtenOut(value: number): string {
  const [mantissa = '', exponent = ''] = String(value).split('e-')
  return `0.${'0'.repeat(Number(exponent) - 1)}${mantissa.replace('.', '')}`
}
