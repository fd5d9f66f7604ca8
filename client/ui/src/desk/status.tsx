import type { ReactNode } from 'react'
import classes from './status.module.css'

/** Only what wants something has a colour: a disc runs, a ring waits, a lozenge has failed. `calm` waits for others. */
export type StatusKind = 'runs' | 'waits' | 'failed' | 'calm'

export interface StatusProps {
  readonly kind: StatusKind
  readonly children: string
}

/** A shape and always a word. */
export function Status({ kind, children }: StatusProps): ReactNode {
  return <span className={`${classes.status} ${classes[kind]}`}>{children}</span>
}

export interface CountProps {
  readonly of: number
  readonly kind?: 'plain' | 'waits' | 'failed'
  /** What is counted, for a screen reader. */
  readonly about?: string
}

export function Count({ of, kind = 'plain', about }: CountProps): ReactNode {
  return (
    <span className={`${classes.count} ${kind === 'plain' ? '' : classes[kind]}`} aria-label={about} role="note">
      {of}
    </span>
  )
}

/** A key of the keyboard: `Ctrl K`. */
export function Keys({ children }: { readonly children: string }): ReactNode {
  return <kbd className={classes.keys}>{children}</kbd>
}
