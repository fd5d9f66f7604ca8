import type { ReactNode } from 'react'
import classes from './chips.module.css'

export interface Chip {
  readonly id: string
  readonly name: string
  readonly face?: ReactNode
  readonly count?: number
}

/** What of a list is shown; one chip is always chosen. */
export function Chips({
  label,
  chips,
  chosen,
  onChoose,
}: {
  readonly label: string
  readonly chips: readonly Chip[]
  readonly chosen: string
  readonly onChoose: (id: string) => void
}): ReactNode {
  return (
    <ul className={classes.chips} aria-label={label}>
      {chips.map(({ id, name, face, count }) => (
        <li key={id}>
          <button type="button" aria-pressed={id === chosen} onClick={() => onChoose(id)}>
            {face}
            {name} {count === undefined ? null : <b>{count}</b>}
          </button>
        </li>
      ))}
    </ul>
  )
}
