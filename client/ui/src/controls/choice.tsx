import { type ReactNode, useId } from 'react'
import classes from './choice.module.css'

export interface ChoiceOption {
  readonly value: string
  readonly label: string
  readonly about?: string | undefined
}

/** One of a few, with all of them in view. */
export function Choices({
  legend,
  hint,
  options,
  value,
  onValue,
}: {
  readonly legend: string
  readonly hint?: string
  readonly options: readonly ChoiceOption[]
  readonly value: string
  readonly onValue: (value: string) => void
}): ReactNode {
  const name = useId()
  return (
    <fieldset>
      <legend className={classes.legend}>{legend}</legend>
      {hint === undefined ? null : <p className={classes.about}>{hint}</p>}
      <div className={classes.choices}>
        {options.map((option) => (
          <label className={classes.choice} key={option.value}>
            <input
              type="radio"
              name={name}
              checked={option.value === value}
              onChange={() => onValue(option.value)}
              value={option.value}
            />
            <span className={classes.name}>{option.label}</span>
            {option.about === undefined ? null : <span className={classes.about}>{option.about}</span>}
          </label>
        ))}
      </div>
    </fieldset>
  )
}

export function Tick({
  label,
  about,
  isOn,
  onChange,
}: {
  readonly label: string
  readonly about?: string | undefined
  readonly isOn: boolean
  readonly onChange: (isOn: boolean) => void
}): ReactNode {
  return (
    <label className={classes.tick}>
      <input type="checkbox" checked={isOn} onChange={(event) => onChange(event.currentTarget.checked)} />
      <span className={classes.name}>{label}</span>
      {about === undefined ? null : <span className={classes.about}>{about}</span>}
    </label>
  )
}
