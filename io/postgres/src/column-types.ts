import { types } from 'pg'

const INT8 = 20
const INT8_ARRAY = 1016
const DATE = 1082
const DATE_ARRAY = 1182

type ColumnParser = (text: string) => unknown

/**
 * The driver's default for int8 is text, and `'9' + 1` is `'91'`. Sequence numbers and counts stay far below 2^53, so
 * int8 is read as a number; a value beyond that is an error instead of a rounded number. A `date` stays text: as a Date
 * it would be midnight in the time zone of the process.
 */
const OWN_PARSERS = new Map<number, ColumnParser>([
  [INT8, parseInt8],
  [INT8_ARRAY, (text) => splitArray(text).map((item) => (item === null ? null : parseInt8(item)))],
  [DATE, (text) => text],
  [DATE_ARRAY, splitArray],
])

export const columnTypes: typeof types = { ...types, getTypeParser: chooseParser }

function chooseParser(oid: number, format: 'text' | 'binary' = 'text'): unknown {
  const own = format === 'text' ? OWN_PARSERS.get(oid) : undefined
  return own ?? types.getTypeParser(oid, format)
}

function parseInt8(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new Error(`${text} does not fit a number: select it as text`)
  return value
}

/** `{1,NULL,3}`; numbers and dates are never quoted. */
function splitArray(text: string): readonly (string | null)[] {
  const inner = text.slice(1, -1)
  return inner === '' ? [] : inner.split(',').map((item) => (item === 'NULL' ? null : item))
}
