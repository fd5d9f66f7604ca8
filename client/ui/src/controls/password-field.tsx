import { Eye, EyeOff } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useUiWords } from '../words/ui-words.ts'
import { Field, type FieldAbout } from './field.tsx'
import classes from './field.module.css'

export interface PasswordFieldProps extends FieldAbout {
  readonly value: string
  readonly onValue: (value: string) => void
  readonly autoComplete: 'current-password' | 'new-password' | 'off'
  readonly isNumeric?: boolean
  readonly autoFocus?: boolean
}

/** A secret that can be looked at while it is typed. */
export function PasswordField(props: PasswordFieldProps): ReactNode {
  const { value, onValue, autoComplete, isNumeric = false, autoFocus = false, ...about } = props
  const [isShown, setShown] = useState(false)
  const words = useUiWords().field
  return (
    <Field {...about}>
      {(ties) => (
        <div className={classes.within}>
          <input
            {...ties}
            className={classes.control}
            type={isShown ? 'text' : 'password'}
            inputMode={isNumeric ? 'numeric' : 'text'}
            autoComplete={autoComplete}
            autoCapitalize="none"
            spellCheck={false}
            autoFocus={autoFocus}
            value={value}
            onChange={(event) => onValue(event.currentTarget.value)}
          />
          <button
            className={classes.reveal}
            type="button"
            aria-label={isShown ? words.hide : words.show}
            onClick={() => setShown(!isShown)}
          >
            {isShown ? <EyeOff size={20} aria-hidden /> : <Eye size={20} aria-hidden />}
          </button>
        </div>
      )}
    </Field>
  )
}
