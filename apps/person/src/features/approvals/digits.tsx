import { type ReactNode, useId } from 'react'
import classes from './card.module.css'

/** The two digits of the other screen, large enough to compare at a glance. */
export function Digits({
  label,
  value,
  onValue,
  problem,
}: {
  readonly label: string
  readonly value: string
  readonly onValue: (value: string) => void
  readonly problem: string | undefined
}): ReactNode {
  const id = useId()
  return (
    <div>
      <label className={classes.label} htmlFor={id}>
        {label}
      </label>
      <div className={classes.digits}>
        <input
          id={id}
          inputMode="numeric"
          autoComplete="off"
          maxLength={2}
          value={value}
          aria-invalid={problem !== undefined}
          aria-describedby={problem === undefined ? undefined : `${id}-problem`}
          onChange={(event) => onValue(event.currentTarget.value.replaceAll(/\D/g, ''))}
        />
        {[0, 1].map((at) => (
          <span key={at} className={at === Math.min(value.length, 1) ? classes.caret : undefined} aria-hidden>
            {value.charAt(at)}
          </span>
        ))}
      </div>
      {problem === undefined ? null : (
        <p className={classes.problem} id={`${id}-problem`}>
          {problem}
        </p>
      )}
    </div>
  )
}
