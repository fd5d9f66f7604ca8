import { Fields } from '@sealpost/ui'
import { Image } from 'lucide-react'
import type { ReactNode } from 'react'
import { useWords } from '../../words/index.ts'
import type { FieldView } from '../../worker/commands/data.ts'
import type { AnswerDraft, ElementView, StepView } from '../../worker/commands/turns.ts'
import { answerIn, withAnswer } from './draft.ts'
import { FlowText } from './flow-text.tsx'
import { PluginQuestion } from './plugin-question.tsx'
import { problemsOf } from './problem-words.ts'
import { Question } from './question.tsx'
import type { Filling } from './use-turn.ts'
import classes from './flows.module.css'

export interface StepFormProps {
  readonly filling: Filling
  readonly step: StepView
  readonly fields: readonly FieldView[]
  /** Problems are shown once the person wanted to go on. */
  readonly isTried: boolean
}

/** The elements of a step in their order, then what is computed from the answers. */
export function StepForm({ filling, step, fields, isTried }: StepFormProps): ReactNode {
  return (
    <>
      <Fields>
        {step.elements.map((element, place) => (
          <Element
            key={'slug' in element ? element.slug : `${element.kind}-${place}`}
            filling={filling}
            step={step}
            fields={fields}
            isTried={isTried}
            element={element}
          />
        ))}
      </Fields>
      <Constants constants={step.constants} />
    </>
  )
}

function Element({ filling, step, fields, isTried, element }: StepFormProps & { readonly element: ElementView }) {
  const words = useWords()
  if (element.kind === 'text') return <FlowText parts={element.parts} />
  if (element.kind === 'image') return <Picture alt={element.alt} />
  const { slug } = element
  const common = {
    filling,
    answer: answerIn(filling.draft, step.key, slug),
    onAnswer: (answer: AnswerDraft | null) => filling.edit((draft) => withAnswer(draft, step.key, slug, answer)),
    problems: isTried ? problemsOf(words, step, slug) : {},
  }
  if (element.kind === 'plugin') return <PluginQuestion {...common} plugin={element} />
  return <Question {...common} question={element} fields={fields} />
}

/** Pictures of a flow rest with the company; the person gets their description. */
function Picture({ alt }: { readonly alt: string }): ReactNode {
  return (
    <p className={classes.picture}>
      <Image size={20} aria-hidden />
      {alt}
    </p>
  )
}

function Constants({ constants }: Pick<StepView, 'constants'>): ReactNode {
  const { computed } = useWords().flows
  if (constants.length === 0) return null
  return (
    <dl className={classes.constants} aria-label={computed.title} aria-live="polite">
      {constants.map(({ key, label, text }) => (
        <div key={key}>
          <dt>{label}</dt>
          <dd className={text === null ? classes.pending : undefined}>{text ?? computed.pending}</dd>
        </div>
      ))}
    </dl>
  )
}
