import { type ReactNode, type SyntheticEvent, useRef } from 'react'
import classes from './field.module.css'

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
    requestAnimationFrame(() => form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus())
  }
  return (
    <form className={classes.fields} ref={form} noValidate onSubmit={(event) => void send(event)}>
      {children}
    </form>
  )
}
