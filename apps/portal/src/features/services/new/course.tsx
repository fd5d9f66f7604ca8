import { useOpenSession } from '@sealpost/session'
import { Brand, PageNotice } from '@sealpost/ui'
import { Check } from 'lucide-react'
import { type ReactNode, use } from 'react'
import { useWords } from '../../../words/index.ts'
import classes from './course.module.css'

/** Around something that is done step by step, without the way to other pages: what was shown once would be lost. */
export function Course({
  steps,
  at,
  leave,
  children,
}: {
  readonly steps: readonly string[]
  readonly at: number
  readonly leave: ReactNode
  readonly children: ReactNode
}): ReactNode {
  const words = useWords().newService
  const { displayName } = useOpenSession()
  return (
    <div className={classes.course}>
      <header className={classes.head}>
        <p className={classes.brand}>
          <Brand />
          <span>{displayName}</span>
        </p>
        <ol className={classes.steps} aria-label={words.stepsLabel}>
          {steps.map((step, place) => (
            <li key={step} aria-current={place === at ? 'step' : undefined}>
              {place < at ? <Check size={14} aria-label={words.done} role="img" /> : null}
              {step}
            </li>
          ))}
        </ol>
        <div className={classes.leave}>{leave}</div>
      </header>
      {use(PageNotice)}
      {children}
    </div>
  )
}
