import { dateText, toDate } from './calendar.ts'
import { formatValue } from './format-value.ts'
import { numberText, roundHalfAway, toNumber } from './numbers.ts'

/** A field of the step that is being filled in. */
export interface Draft {
  /** As typed, drafted earlier or saved; empty text where there is nothing. */
  readonly value: string
  /** The last value that the default wrote; null while it has written none. */
  readonly written: string | null
  /** A profile field is selected as the source. */
  readonly isLinked: boolean
}

/** The kinds of field that may have a default; a decimal is a number with two digits after the point. */
export type DefaultedKind = 'text' | 'number' | 'decimal' | 'date'

/** For every change of an input: fills an empty field, and follows the default until the party edits the value. */
export function nextDraft(draft: Draft, defaultValue: unknown, kind: DefaultedKind): Draft {
  if (!followsDefault(draft)) return draft
  const value = defaultText(defaultValue, kind)
  const isUntouched = draft.written === null && value === ''
  return isUntouched ? draft : { ...draft, value, written: value }
}

function followsDefault({ value, written, isLinked }: Draft): boolean {
  return !isLinked && value === (written ?? '')
}

/** Empty where the default gives no value that the field can hold: a stale value would look like a computed one. */
function defaultText(value: unknown, kind: DefaultedKind): string {
  switch (kind) {
    case 'text':
      return formatValue(value)
    case 'date': {
      const date = toDate(value)
      return date === null ? '' : dateText(date)
    }
    case 'number':
    case 'decimal': {
      const number = toNumber(value)
      if (number === null) return ''
      return numberText(kind === 'decimal' ? roundHalfAway(number, 2) : number)
    }
  }
}
