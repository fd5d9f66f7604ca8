import { Choices, SelectField, Tag, Tick, useLanguage } from '@sealpost/ui'
import { BadgeCheck } from 'lucide-react'
import type { ReactNode } from 'react'
import { href } from '../../routes.ts'
import { useWords } from '../../words/index.ts'
import type { FieldView } from '../../worker/commands/data.ts'
import type { QuestionView } from '../../worker/commands/turns.ts'
import { choicesOf, displayValue } from '../data/display.ts'
import { ValueInput } from '../data/input.tsx'
import { labelOf } from '../data/labels.ts'
import { shownText, typedOver } from './draft.ts'
import { FileQuestion } from './file-question.tsx'
import { LinkedAnswer, Suggestions } from './linked-answer.tsx'
import { Group, hintOf, ProblemLine, type QuestionProps } from './question-parts.tsx'
import classes from './flows.module.css'

/** One question: linked to the own data, or answered here. */
export function Question(props: QuestionProps): ReactNode {
  const { question, answer, fields, onAnswer } = props
  const linked = answer?.kind === 'field' ? fields.find(({ id }) => id === answer.fieldId) : undefined
  const fitting = question.fits.flatMap((id) => fields.filter((field) => field.id === id))
  if (!question.canType) return <FromDataOnly {...props} fitting={fitting} />
  if (linked !== undefined) return <LinkedAnswer {...props} field={linked} onUnlink={() => onAnswer(null)} />
  return (
    <div className={classes.question}>
      <Input {...props} />
      <Suggestions fitting={fitting} onField={(fieldId) => onAnswer({ kind: 'field', fieldId })} />
    </div>
  )
}

function Input(props: QuestionProps): ReactNode {
  const { question, answer, onAnswer, problems, filling } = props
  const about = useAbout(question)
  if (question.type.isFile) return <FileQuestion {...props} />
  const value = shownText(question, answer, filling.isEvaluated)
  const onValue = (text: string): void => onAnswer(typedOver(question, answer, text))
  if (question.options !== null)
    return question.type.type === 'multiselect' ? (
      <ManyOf {...props} options={question.options} value={value} onValue={onValue} />
    ) : (
      <OneOf {...props} options={question.options} value={value} onValue={onValue} />
    )
  const isGroup = question.type.input === 'composite' || question.type.input === 'multilist'
  const input = { label: question.label, type: question.type, value, onValue, problems }
  if (!isGroup) return <ValueInput {...input} {...about} />
  return (
    <Group {...props}>
      <ValueInput {...input} />
    </Group>
  )
}

function useAbout(question: QuestionView) {
  const words = useWords()
  const { language } = useLanguage()
  const hint = hintOf(words, language, question)
  return { isOptional: !question.isRequired, ...(hint === null ? {} : { hint }) }
}

interface OptionsProps extends QuestionProps {
  readonly options: NonNullable<QuestionView['options']>
  readonly value: string
  readonly onValue: (value: string) => void
}

/** As many as can stand in view. */
const FEW = 6

function OneOf({ question, options, value, onValue, problems }: OptionsProps): ReactNode {
  const words = useWords()
  const about = useAbout(question)
  const isOpen = value === '' || options.some((option) => option.value === value)
  const none = { value: '', label: question.isRequired ? words.data.field.choose : words.flows.nothing }
  if (options.length > FEW)
    return (
      <SelectField
        label={question.label}
        {...about}
        options={[none, ...options]}
        value={isOpen ? value : ''}
        onValue={onValue}
        problem={problems['']}
      />
    )
  const offered = question.isRequired ? options : [...options, { value: '', label: words.flows.nothing }]
  return (
    <div className={classes.group} data-invalid={problems[''] === undefined ? undefined : ''}>
      <Choices
        legend={question.label}
        {...(about.hint === undefined ? {} : { hint: about.hint })}
        options={offered}
        value={isOpen ? value : ''}
        onValue={onValue}
      />
      <ProblemLine problem={problems['']} />
    </div>
  )
}

function ManyOf({ question, options, value, onValue, problems }: OptionsProps): ReactNode {
  const chosen = choicesOf(value)
  const toggle = (changed: string, isOn: boolean): void => {
    const next = options
      .map((option) => option.value)
      .filter((option) => (option === changed ? isOn : chosen.includes(option)))
    onValue(next.length === 0 ? '' : JSON.stringify(next))
  }
  return (
    <Group question={question} problems={problems}>
      <fieldset aria-label={question.label}>
        {options.map((option) => (
          <Tick
            key={option.value}
            label={option.label}
            isOn={chosen.includes(option.value)}
            onChange={(isOn) => toggle(option.value, isOn)}
          />
        ))}
      </fieldset>
    </Group>
  )
}

/** The answer must come from the own data, verified where the company wants that. */
function FromDataOnly({
  question,
  answer,
  onAnswer,
  problems,
  fitting,
}: QuestionProps & { readonly fitting: readonly FieldView[] }): ReactNode {
  const words = useWords()
  const { language } = useLanguage()
  const { linked } = words.flows
  const none = question.isRequired || fitting.length === 0 ? [] : [{ value: '', label: words.flows.nothing }]
  const options = fitting.map((field) => ({
    value: field.id,
    label: displayValue(words, language, field.type, field.value?.text ?? ''),
    about: labelOf(words, field),
  }))
  const value = answer?.kind === 'field' ? answer.fieldId : ''
  return (
    <Group question={question} problems={problems}>
      {question.wantsVerified ? (
        <p>
          <Tag icon={<BadgeCheck size={14} aria-hidden />}>{linked.mustBeVerified}</Tag>
        </p>
      ) : null}
      {fitting.length === 0 ? (
        <p className={classes.hint}>
          {question.wantsVerified ? linked.noneVerified : linked.none} <a href={href('data')}>{linked.toData}</a>
        </p>
      ) : (
        <Choices
          legend={linked.choose}
          options={[...options, ...none]}
          value={value}
          onValue={(fieldId) => onAnswer(fieldId === '' ? null : { kind: 'field', fieldId })}
        />
      )}
    </Group>
  )
}
