import { type ReactNode, type SyntheticEvent, useRef } from 'react'
import classes from './field.module.css'

/** A control, or the first one of several that answer one question. */
const FIRST_PROBLEM = '[aria-invalid="true"], [data-invalid] :is(input, select, button)'

/** Sends by button and by Enter; after a refusal the first field with a problem has the focus. */
export function Form({
  onSend,
  children,
}: {
  readonly onSend: () => Promise<void> | void
  readonly children: ReactNode
}): ReactNode {
  const form = useRef<HTMLFormElement>(null)
  const send = async (event: SyntheticEvent): Promise<void> => {
    event.preventDefault()
    await onSend()
    // The problems are drawn after this turn.
    requestAnimationFrame(() => form.current?.querySelector<HTMLElement>(FIRST_PROBLEM)?.focus())
  }
  return (
    <form className={classes.fields} ref={form} noValidate onSubmit={(event) => void send(event)}>
      {children}
    </form>
  )
}
