import { type ComponentProps, type ReactNode, useId } from 'react'
import { useUiWords } from '../words/ui-words.ts'
import classes from './field.module.css'

export interface FieldAbout {
  readonly label: string
  readonly hint?: string | undefined
  /** What is wrong and what to do; said aloud with the field. */
  readonly problem?: string | undefined
  readonly isOptional?: boolean
}

/** What ties a control to its label, hint and problem. */
export interface ControlTies {
  readonly id: string
  readonly 'aria-describedby': string | undefined
  readonly 'aria-invalid': boolean
}

export function Field({
  label,
  hint,
  problem,
  isOptional = false,
  children,
}: FieldAbout & { readonly children: (ties: ControlTies) => ReactNode }): ReactNode {
  const id = useId()
  const words = useUiWords()
  const described = [hint === undefined ? null : `${id}-hint`, problem === undefined ? null : `${id}-problem`]
  const names = described.filter((name) => name !== null).join(' ')
  return (
    <div className={classes.field}>
      <label className={classes.label} htmlFor={id}>
        {label} {isOptional ? <span className={classes.optional}>{words.field.optional}</span> : null}
      </label>
      {hint === undefined ? null : (
        <p className={classes.hint} id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {children({ id, 'aria-describedby': names === '' ? undefined : names, 'aria-invalid': problem !== undefined })}
      {problem === undefined ? null : (
        <p className={classes.problem} id={`${id}-problem`}>
          {problem}
        </p>
      )}
    </div>
  )
}

interface Typed {
  readonly value: string
  readonly onValue: (value: string) => void
}

export type TextFieldProps = FieldAbout &
  Typed & { readonly isMono?: boolean } & Omit<ComponentProps<'input'>, 'value' | 'onChange' | 'className' | 'id'>

export function TextField(props: TextFieldProps): ReactNode {
  const { about, rest } = apart(props)
  const { isMono = false, value, onValue, ...native } = rest
  return (
    <Field {...about}>
      {(ties) => (
        <input
          {...native}
          {...ties}
          className={isMono ? `${classes.control} ${classes.mono}` : classes.control}
          value={value}
          onChange={(event) => onValue(event.currentTarget.value)}
        />
      )}
    </Field>
  )
}

/** The six digits of a mail or of an authenticator. */
export function DigitsField({
  length = 6,
  value,
  onValue,
  ...about
}: FieldAbout & Typed & { readonly length?: number }): ReactNode {
  return (
    <Field {...about}>
      {(ties) => (
        <input
          {...ties}
          className={`${classes.control} ${classes.digits}`}
          inputMode="numeric"
          autoComplete="one-time-code"
          maxLength={length}
          value={value}
          onChange={(event) => onValue(event.currentTarget.value.replaceAll(/\D/g, ''))}
        />
      )}
    </Field>
  )
}

export function TextArea({ value, onValue, rows = 4, ...about }: FieldAbout & Typed & { readonly rows?: number }) {
  return (
    <Field {...about}>
      {(ties) => (
        <textarea
          {...ties}
          className={classes.control}
          rows={rows}
          value={value}
          onChange={(event) => onValue(event.currentTarget.value)}
        />
      )}
    </Field>
  )
}

export interface Option {
  readonly value: string
  readonly label: string
}

/** The browser's own list: on a phone nothing is better. */
export function SelectField({
  options,
  value,
  onValue,
  autoComplete,
  ...about
}: FieldAbout & Typed & { readonly options: readonly Option[]; readonly autoComplete?: string }): ReactNode {
  return (
    <Field {...about}>
      {(ties) => (
        <select
          {...ties}
          className={classes.control}
          autoComplete={autoComplete}
          value={value}
          onChange={(event) => onValue(event.currentTarget.value)}
        >
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </select>
      )}
    </Field>
  )
}

export function Fields({ children }: { readonly children: ReactNode }): ReactNode {
  return <div className={classes.fields}>{children}</div>
}

/** Fields beside each other where there is room. */
export function FieldRow({ children }: { readonly children: ReactNode }): ReactNode {
  return <div className={classes.row}>{children}</div>
}

function apart<Props extends FieldAbout>({ label, hint, problem, isOptional, ...rest }: Props) {
  return { about: { label, hint, problem, ...(isOptional === undefined ? {} : { isOptional }) }, rest }
}
