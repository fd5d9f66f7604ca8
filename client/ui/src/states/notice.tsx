import type { ReactNode } from 'react'
import classes from './notice.module.css'

export type NoticeKind = 'note' | 'wait' | 'bad'

export interface NoticeProps {
  readonly kind?: NoticeKind
  /** What is so. */
  readonly what: string
  /** What to do. */
  readonly next?: string | undefined
  readonly act?: ReactNode
}

const KINDS: Readonly<Record<NoticeKind, string>> = { note: '', wait: classes.wait, bad: classes.bad }

export function Notice({ kind = 'note', what, next, act }: NoticeProps): ReactNode {
  return (
    <div className={`${classes.notice} ${KINDS[kind]}`} role={kind === 'bad' ? 'alert' : 'status'}>
      <p className={classes.what}>{what}</p>
      {next === undefined ? null : <p className={classes.next}>{next}</p>}
      {act === undefined ? null : <div className={classes.act}>{act}</div>}
    </div>
  )
}

/** Says what is waited for; nothing turns. */
export function Pending({ children }: { readonly children: string }): ReactNode {
  return (
    <p className={classes.pending} role="status">
      {children}
    </p>
  )
}

/** There is nothing yet, and this is how something comes. */
export function Empty({ children, act }: { readonly children: string; readonly act?: ReactNode }): ReactNode {
  return (
    <div className={classes.empty}>
      <p>{children}</p>
      {act}
    </div>
  )
}

export function Tag({ children, icon }: { readonly children: string; readonly icon?: ReactNode }): ReactNode {
  return (
    <span className={classes.tag}>
      {icon}
      {children}
    </span>
  )
}
