import { X } from 'lucide-react'
import { type ReactNode, useEffect, useRef } from 'react'
import { useUiWords } from '../words/ui-words.ts'
import classes from './dialog.module.css'

export interface InspectorProps {
  readonly title: string
  readonly onClose: () => void
  readonly children: ReactNode
}

/** Beside a list: the one that is open. The list goes on working; Escape closes. */
export function Inspector({ title, onClose, children }: InspectorProps): ReactNode {
  const words = useUiWords().desk
  const heading = useRef<HTMLHeadingElement>(null)
  const onCloseNow = useRef(onClose)
  onCloseNow.current = onClose
  // The focus goes into what opens, and back to what had it.
  useEffect(() => {
    const before = document.activeElement
    heading.current?.focus({ preventScroll: true })
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true })
    }
  }, [])
  useEffect(() => {
    const closeByKey = (event: KeyboardEvent): void => {
      if (event.key === 'Escape' && !event.defaultPrevented) onCloseNow.current()
    }
    document.addEventListener('keydown', closeByKey)
    return () => document.removeEventListener('keydown', closeByKey)
  }, [])
  return (
    <aside className={classes.inspector} aria-label={title}>
      <div>
        <header className={classes.head}>
          <h2 className={classes.title} ref={heading} tabIndex={-1}>
            {title}
          </h2>
          <button type="button" className={classes.close} aria-label={words.close} onClick={onClose}>
            <X size={16} aria-hidden />
          </button>
        </header>
        <div className={classes.body}>{children}</div>
      </div>
    </aside>
  )
}
