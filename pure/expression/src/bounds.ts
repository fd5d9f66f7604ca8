import { dayNumber, toDate } from './calendar.ts'
import { toNumber } from './numbers.ts'

/**
 * Whether an evaluated minimum or maximum refuses a typed or linked value. A bound that is null or a boolean is
 * ignored; a value that cannot be compared with it is left to the field's type.
 */
export function boundRefuses(side: 'min' | 'max', bound: unknown, value: unknown): boolean {
  const isNumeric = toNumber(bound) !== null
  const [limit, given] = isNumeric ? [toNumber(bound), toNumber(value)] : [toDay(bound), toDay(value)]
  if (limit === null || given === null) return false
  return side === 'min' ? given < limit : given > limit
}

function toDay(value: unknown): number | null {
  const date = toDate(value)
  return date === null ? null : dayNumber(date)
}
