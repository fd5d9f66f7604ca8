import type { ReactNode } from 'react'
import { Chips } from '../controls/chips.tsx'
import { FieldRow, TextField } from '../controls/field.tsx'
import { useUiWords } from '../words/ui-words.ts'

/** Calendar days, `2026-03-09`; both belong to it. An empty one is open. */
export interface Range {
  readonly from: string
  readonly to: string
}

export interface DateRangeProps {
  readonly range: Range
  readonly onRange: (range: Range) => void
  /** Of this device: it decides what “the last 7 days” are. */
  readonly today: string
}

const LAST_DAYS = [1, 7, 30, 90] as const

export function DateRange({ range, onRange, today }: DateRangeProps): ReactNode {
  const words = useUiWords().desk.range
  const chosen = LAST_DAYS.find((days) => isSame(range, lastDays(today, days)))
  return (
    <>
      <Chips
        label={words.quick}
        chips={LAST_DAYS.map((days) => ({ id: String(days), name: words.last(days) }))}
        chosen={chosen === undefined ? '' : String(chosen)}
        onChoose={(days) => onRange(lastDays(today, Number(days)))}
      />
      <FieldRow>
        <TextField
          label={words.from}
          type="date"
          max={range.to === '' ? today : range.to}
          value={range.from}
          onValue={(from) => onRange({ ...range, from })}
        />
        <TextField
          label={words.to}
          type="date"
          min={range.from}
          max={today}
          value={range.to}
          onValue={(to) => onRange({ ...range, to })}
          problem={isBackwards(range) ? words.backwards : undefined}
        />
      </FieldRow>
    </>
  )
}

/** With today. */
export function lastDays(today: string, days: number): Range {
  const from = new Date(Date.parse(`${today}T00:00:00Z`))
  from.setUTCDate(from.getUTCDate() - days + 1)
  return { from: from.toISOString().slice(0, 10), to: today }
}

export function isBackwards({ from, to }: Range): boolean {
  return from !== '' && to !== '' && from > to
}

function isSame(one: Range, other: Range): boolean {
  return one.from === other.from && one.to === other.to
}
