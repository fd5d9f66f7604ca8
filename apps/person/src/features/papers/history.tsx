import { Section } from '@sealpost/ui'
import type { ReactNode } from 'react'
import { useWords } from '../../words/index.ts'
import type { ActView, LineStepView, PaperView } from '../../worker/commands/papers.ts'
import { useDates } from './use-dates.ts'
import classes from './paper.module.css'

/** Who did what, in words, oldest first. */
export function History({ paper, company }: { readonly paper: PaperView; readonly company: string }): ReactNode {
  const words = useWords().papers.history
  const { when, day } = useDates()
  const { acts, sealedAt, endsOn, status } = paper
  return (
    <>
      <Section title={words.title}>
        <ol className={classes.history}>
          <li>{words.came(company, when(paper.createdAt))}</li>
          {acts.map((act) => (
            <li key={`${act.at} ${act.name}`}>
              {words.act[act.action](act.name)} <small>{detailsOf(words, act, when)}</small>
            </li>
          ))}
          {sealedAt === null ? null : <li>{words.sealed(when(sealedAt))}</li>}
          {endsOn === null ? null : <li>{(status === 'ended' ? words.ended : words.ending)(day(endsOn))}</li>}
        </ol>
      </Section>
      {paper.line === null ? null : <Line steps={paper.line} />}
    </>
  )
}

type HistoryWords = ReturnType<typeof useWords>['papers']['history']

function detailsOf({ methods, verified }: HistoryWords, act: ActView, when: (at: string) => string): string {
  const { method, isNameVerified, at } = act
  const parts = [when(at), method === null ? null : methods[method], isNameVerified ? verified : null]
  return parts.filter((part) => part !== null).join(' · ')
}

/** The signing line of a contract flow: one step is open at a time. */
function Line({ steps }: { readonly steps: readonly LineStepView[] }): ReactNode {
  const words = useWords().papers.line
  const { when } = useDates()
  return (
    <Section title={words.title}>
      <ol className={classes.history}>
        {steps.map((step) => (
          <li key={step.key} aria-current={isOpen(step) ? 'step' : undefined}>
            {step.isOwn ? words.you(step.party) : step.party}{' '}
            <small>
              {step.paper} ·{' '}
              {step.action === null || step.at === null
                ? words.states[step.status]
                : words.acts[step.action](when(step.at))}
            </small>
          </li>
        ))}
      </ol>
    </Section>
  )
}

function isOpen({ status }: LineStepView): boolean {
  return status === 'ready_to_sign' || status === 'offering'
}
