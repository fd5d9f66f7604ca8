import { formatDate, type Language, useLanguage } from '@sealpost/ui'
import type { ReactNode } from 'react'
import type { Words } from '../../words/en/index.ts'
import { useWords } from '../../words/index.ts'
import type { FieldView } from '../../worker/commands/data.ts'
import type { AnswerDraft, QuestionView } from '../../worker/commands/turns.ts'
import type { Filling } from './use-turn.ts'
import classes from './flows.module.css'

export interface AnswerProps {
  readonly filling: Filling
  readonly answer: AnswerDraft | undefined
  readonly onAnswer: (answer: AnswerDraft | null) => void
  /** By their place in the value. */
  readonly problems: Readonly<Record<string, string>>
}

export interface QuestionProps extends AnswerProps {
  readonly question: QuestionView
  readonly fields: readonly FieldView[]
}

/** The help of the author, then the bounds. */
export function hintOf({ flows }: Words, language: Language, { help, min, max, type }: QuestionView): string | null {
  const show = (bound: string): string =>
    type.input === 'date' ? formatDate(language, bound) : inLocale(language, bound)
  const limits = limitsOf(flows.bounds, min === null ? null : show(min), max === null ? null : show(max))
  const sentences = [help, limits].filter((sentence) => sentence !== null && sentence !== '')
  return sentences.length === 0 ? null : sentences.join(' ')
}

function limitsOf(words: Words['flows']['bounds'], min: string | null, max: string | null): string | null {
  if (min !== null && max !== null) return words.between(min, max)
  if (min !== null) return words.least(min)
  return max === null ? null : words.most(max)
}

function inLocale(language: Language, bound: string): string {
  const number = Number(bound)
  return Number.isFinite(number) ? new Intl.NumberFormat(language).format(number) : bound
}

/** Several controls under one question; its own problem stands below them. */
export function Group({
  question,
  problems,
  children,
}: Pick<QuestionProps, 'question' | 'problems'> & { readonly children: ReactNode }): ReactNode {
  const words = useWords()
  const { language } = useLanguage()
  const hint = hintOf(words, language, question)
  const { '': problem } = problems
  return (
    <div className={classes.group} data-invalid={problem === undefined ? undefined : ''}>
      <p className={classes.label}>
        {question.label} {question.isRequired ? null : <span className={classes.optional}>{words.flows.optional}</span>}
      </p>
      {hint === null ? null : <p className={classes.hint}>{hint}</p>}
      {children}
      <ProblemLine problem={problem} />
    </div>
  )
}

export function ProblemLine({ problem }: { readonly problem: string | undefined }): ReactNode {
  return problem === undefined ? null : (
    <p className={classes.problem} role="alert">
      {problem}
    </p>
  )
}
