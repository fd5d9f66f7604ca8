import { formatWhen, Section, useLanguage } from '@sealpost/ui'
import { nowMs } from '@sealpost/web-app'
import type { ReactNode } from 'react'
import { href } from '../../routes.ts'
import { useWords } from '../../words/index.ts'
import type { LineStepView } from '../../worker/commands/flows.ts'
import classes from './flows.module.css'

/** Who signs what, in their order: one step is open at a time. */
export function SigningLine({
  line,
  connectionId,
}: {
  readonly line: readonly LineStepView[]
  readonly connectionId: string
}): ReactNode {
  const { line: words } = useWords().flows
  return (
    <Section title={words.title}>
      <ol className={classes.line} aria-label={words.title}>
        {line.map((step) => (
          <LineStep key={`${step.paperId}-${step.name}`} step={step} connectionId={connectionId} />
        ))}
      </ol>
    </Section>
  )
}

function LineStep({ step, connectionId }: { readonly step: LineStepView; readonly connectionId: string }): ReactNode {
  const { flows } = useWords()
  const { line: words, you } = flows
  const { language } = useLanguage()
  const { name, who, isOwn, act, state, actedAt, paperId } = step
  const done = actedAt === null ? words.done[act] : words.doneAt[act](formatWhen(language, actedAt, nowMs()))
  const about = state === 'done' ? done : state === 'open' ? words.open[act] : words[state]
  return (
    <li className={classes[state]} aria-current={state === 'open' ? 'step' : undefined}>
      <span className={classes.who}>{isOwn ? you : who}</span>
      {/* Only the own copy can be opened. */}
      <span className={classes.what}>
        {isOwn ? <a href={href('paper', { connection: connectionId, paper: paperId })}>{name}</a> : name}
        {words.between}
        {about}
      </span>
    </li>
  )
}
