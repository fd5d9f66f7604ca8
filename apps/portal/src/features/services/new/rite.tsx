import { useHeading } from '@sealpost/ui'
import type { ReactNode } from 'react'
import classes from './course.module.css'

/** One step: a sentence first, then what is done, and beside it what follows. */
export function Rite({
  title,
  lead,
  aside,
  children,
}: {
  readonly title: string
  readonly lead: string
  readonly aside?: ReactNode
  readonly children: ReactNode
}): ReactNode {
  const heading = useHeading(title)
  return (
    <main className={classes.rite}>
      <header>
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
        <p>{lead}</p>
      </header>
      <div className={classes.part}>{children}</div>
      {aside}
    </main>
  )
}
