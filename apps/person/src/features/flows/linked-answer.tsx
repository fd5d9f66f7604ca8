import { Button, Tag, useLanguage } from '@sealpost/ui'
import { BadgeCheck, EyeOff, Link2 } from 'lucide-react'
import type { ReactNode } from 'react'
import { useWords } from '../../words/index.ts'
import type { FieldView } from '../../worker/commands/data.ts'
import { displayValue } from '../data/display.ts'
import { labelOf } from '../data/labels.ts'
import { Group, type QuestionProps } from './question-parts.tsx'
import classes from './flows.module.css'

/** A value of the own data in the place of a typed one, and how it travels. */
export function LinkedAnswer({
  question,
  problems,
  filling,
  field,
  onUnlink,
}: QuestionProps & { readonly field: FieldView; readonly onUnlink: () => void }): ReactNode {
  const words = useWords()
  const { linked } = words.flows
  const { language } = useLanguage()
  const { makesDocuments, companyName } = filling.view
  return (
    <Group question={question} problems={problems}>
      <div className={classes.linked}>
        <p className={classes.value}>{displayValue(words, language, field.type, field.value?.text ?? '')}</p>
        <p className={classes.source}>
          {linked.from(labelOf(words, field))}
          {question.verified.includes(field.id) ? (
            <Tag icon={<BadgeCheck size={14} aria-hidden />}>{linked.verified}</Tag>
          ) : null}
          {question.isPrivate ? <Tag icon={<EyeOff size={14} aria-hidden />}>{linked.private}</Tag> : null}
        </p>
        <p className={makesDocuments ? `${classes.travels} ${classes.copy}` : classes.travels}>
          {makesDocuments ? linked.copy : linked.live(companyName)}
        </p>
        <Button onClick={onUnlink}>{linked.unlink}</Button>
      </div>
    </Group>
  )
}

/** Values of the own data that could answer; nothing is chosen beforehand. */
export function Suggestions({
  fitting,
  onField,
}: {
  readonly fitting: readonly FieldView[]
  readonly onField: (fieldId: string) => void
}): ReactNode {
  const words = useWords()
  const { language } = useLanguage()
  if (fitting.length === 0) return null
  return (
    <ul className={classes.suggestions} aria-label={words.flows.linked.suggest}>
      {fitting.slice(0, MOST).map((field) => {
        const value = displayValue(words, language, field.type, field.value?.text ?? '')
        return (
          <li key={field.id}>
            <button type="button" onClick={() => onField(field.id)}>
              <Link2 size={16} aria-hidden />
              <span>{words.flows.linked.use(labelOf(words, field), value)}</span>
            </button>
          </li>
        )
      })}
    </ul>
  )
}

/** The likeliest are enough: more would hide the question. */
const MOST = 3
