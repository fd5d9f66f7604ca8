import { ButtonLink, Choices, Notice, Tag, Tick, useLanguage } from '@sealpost/ui'
import type { ReactNode } from 'react'
import { href } from '../../routes.ts'
import type { Words } from '../../words/en/index.ts'
import { useWords } from '../../words/index.ts'
import type { AskedView } from '../../worker/commands/connections.ts'
import type { FieldView } from '../../worker/commands/data.ts'
import { displayValue } from '../data/display.ts'
import { ValueInput } from '../data/input.tsx'
import { labelOf } from '../data/labels.ts'
import type { Choice } from './answer.ts'
import classes from './ask.module.css'

export interface AskProps {
  readonly asked: AskedView
  readonly fields: readonly FieldView[]
  readonly choice: Choice
  readonly onChoice: (choice: Choice) => void
  readonly problem?: string | undefined
  readonly valueProblems?: Readonly<Record<string, string>>
}

const TYPED = 'typed'
const NOTHING = 'nothing'

/** One thing that a company asks for: what it gets, how it travels, and what the person gives. */
export function Ask({ asked, fields, choice, onChoice, problem, valueProblems = {} }: AskProps): ReactNode {
  const words = useWords()
  const { offer } = words.connections
  const { language } = useLanguage()
  const fitting = fields.filter(({ id }) => asked.fits.includes(id))
  const options = [
    ...fitting.map((field) => ({
      value: field.id,
      label: displayValue(words, language, field.type, field.value?.text ?? ''),
      about: aboutOf(words, field),
    })),
    ...(asked.type.isFile || asked.isFromDataOnly === true
      ? []
      : [{ value: TYPED, label: fitting.length === 0 ? offer.newValue : offer.typed }]),
    ...(asked.isNeeded ? [] : [{ value: NOTHING, label: offer.withhold }]),
  ]
  const choose = (value: string): void => {
    if (value === TYPED) onChoice({ kind: 'typed', text: '', keepIn: null })
    else if (value === NOTHING) onChoice({ kind: 'nothing' })
    else onChoice({ kind: 'field', fieldId: value })
  }
  return (
    <section className={classes.ask}>
      <header className={classes.head}>
        <h2>{asked.label}</h2>
        <Tag>{asked.isNeeded ? offer.needed : offer.optional}</Tag>
        {asked.wantsVerified ? <Tag>{offer.verified}</Tag> : null}
      </header>
      <p className={asked.isOneTime ? `${classes.travels} ${classes.copy}` : classes.travels}>
        {asked.isOneTime ? offer.oneTime : offer.live}
      </p>
      {asked.type.isFile && fitting.length === 0 ? <Notice kind="wait" what={offer.fileLater} /> : null}
      {options.length === 0 ? null : (
        <Choices legend={offer.legend(asked.label)} value={valueOf(choice)} onValue={choose} options={options} />
      )}
      {choice.kind === 'typed' ? (
        <Typed asked={asked} fields={fields} choice={choice} onChoice={onChoice} problems={valueProblems} />
      ) : null}
      {asked.isFromDataOnly === true && fitting.length === 0 ? (
        <Notice
          kind="wait"
          what={words.consent.notVerified}
          act={
            <ButtonLink
              href={
                asked.toVerify === undefined || asked.toVerify === null
                  ? href('data')
                  : href('field', { field: asked.toVerify })
              }
            >
              {words.data.verify.go}
            </ButtonLink>
          }
        />
      ) : null}
      {problem === undefined ? null : <Notice kind="bad" what={problem} />}
    </section>
  )
}

/** Whether it was verified stands beside it: some companies take nothing else. */
function aboutOf(words: Words, field: FieldView): string {
  const from = words.connections.offer.fromData(labelOf(words, field))
  return (field.value?.verifiedAt ?? null) === null ? from : `${from} · ${words.data.verify.mark}`
}

function Typed({
  asked,
  fields,
  choice,
  onChoice,
  problems,
}: Pick<AskProps, 'asked' | 'fields' | 'onChoice'> & {
  readonly choice: Extract<Choice, { readonly kind: 'typed' }>
  readonly problems: Readonly<Record<string, string>>
}): ReactNode {
  const words = useWords()
  const place = fields.find((field) => field.value === null && !field.isOwn && field.type.type === asked.type.type)
  return (
    <>
      <ValueInput
        label={asked.label}
        type={asked.type}
        value={choice.text}
        onValue={(text) => onChoice({ ...choice, text })}
        problems={problems}
      />
      {place === undefined ? null : (
        <Tick
          label={words.connections.offer.keep}
          about={labelOf(words, place)}
          isOn={choice.keepIn !== null}
          onChange={(isOn) => onChoice({ ...choice, keepIn: isOn ? place.id : null })}
        />
      )}
    </>
  )
}

function valueOf(choice: Choice): string {
  if (choice.kind === 'field') return choice.fieldId
  return choice.kind === 'undecided' ? '' : choice.kind
}
