import { Field, formatBytes } from '@sealpost/ui'
import { FileText } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Problem } from '../../shell/problem.tsx'
import { useAct } from '../../shell/use-act.ts'
import { call } from '../../shell/worker-client.ts'
import { useLanguage, useWords } from '../../words/index.ts'
import type { EntryView } from '../../worker/commands/data.ts'
import type { AnswerDraft } from '../../worker/commands/turns.ts'
import { ValueInput } from '../data/input.tsx'
import { hintOf, type QuestionProps } from './question-parts.tsx'
import classes from './flows.module.css'

/** Files are kept on this device, sealed, until the turn is sent. */
export function FileQuestion(props: QuestionProps): ReactNode {
  const { question, answer, onAnswer, problems } = props
  const words = useWords()
  const { language } = useLanguage()
  const hint = hintOf(words, language, question)
  const act = useAct()
  const [shown, setShown] = useState(0)
  const given = answer?.kind === 'files' ? answer : null
  const remove = (): void => {
    onAnswer(null)
    // A new input: the old one still names the file.
    setShown(shown + 1)
  }
  const { '': problem, ...others } = problems
  const ofFile = Object.values(withoutEntries(others, question.type.entries))[0]
  return (
    <div className={classes.group}>
      <Field
        label={question.label}
        isOptional={!question.isRequired}
        hint={[hint, words.flows.files.sealed].filter((sentence) => sentence !== null).join(' ')}
        problem={problem ?? ofFile}
      >
        {(ties) => (
          <input
            {...ties}
            key={shown}
            type="file"
            multiple={question.type.input === 'pages'}
            accept={ACCEPTED[question.type.type]}
            onChange={(event) => void act.run(keeping(props, [...(event.currentTarget.files ?? [])]))}
          />
        )}
      </Field>
      {given === null ? null : <Chosen given={given} onRemove={remove} />}
      {given === null
        ? null
        : question.type.entries.map((entry) => (
            <EntryInput
              key={entry.key}
              entry={entry}
              value={given.entries[entry.key] ?? ''}
              problem={others[entry.key]}
              onValue={(text) => onAnswer({ ...given, entries: withEntry(given.entries, entry.key, text) })}
            />
          ))}
      <Problem failure={act.failure} />
    </div>
  )
}

type GivenFiles = Extract<AnswerDraft, { readonly kind: 'files' }>

/** The files go to the worker; the draft names them. */
function keeping({ question, answer, onAnswer, filling }: QuestionProps, chosen: readonly File[]) {
  return async (): Promise<void> => {
    const files = await Promise.all(
      chosen.map(async (file) => ({
        name: file.name,
        mimeType: file.type,
        bytes: new Uint8Array(await file.arrayBuffer()),
      })),
    )
    await call('keepAnswerFiles', { runId: filling.view.runId, slug: question.slug, files })
    const facts = files.map(({ name, mimeType, bytes }) => ({ name, mimeType, size: bytes.length }))
    onAnswer({ kind: 'files', files: facts, entries: answer?.kind === 'files' ? answer.entries : {} })
  }
}

function Chosen({ given, onRemove }: { readonly given: GivenFiles; readonly onRemove: () => void }): ReactNode {
  const { files: words } = useWords().flows
  const { language } = useLanguage()
  return (
    <ul className={classes.files} aria-label={words.chosen}>
      {given.files.map(({ name, size }) => (
        <li key={name}>
          <FileText size={18} aria-hidden />
          <span>{name}</span>
          <span className={classes.size}>{formatBytes(language, size)}</span>
        </li>
      ))}
      <li>
        <button type="button" onClick={onRemove}>
          {words.remove}
        </button>
      </li>
    </ul>
  )
}

function withEntry(entries: Readonly<Record<string, string>>, key: string, text: string) {
  const others = Object.entries(entries).filter(([other]) => other !== key)
  return Object.fromEntries(text === '' ? others : [...others, [key, text]])
}

/** Problems of the file itself, which has places of its own in its envelope. */
function withoutEntries(problems: Readonly<Record<string, string>>, entries: readonly EntryView[]) {
  return Object.fromEntries(Object.entries(problems).filter(([path]) => entries.every(({ key }) => key !== path)))
}

const ACCEPTED: Readonly<Record<string, string>> = { pdf_document: 'application/pdf', photo: 'image/*' }

/** What is said about a document: its number, the day on which it ends. */
function EntryInput({
  entry,
  value,
  problem,
  onValue,
}: {
  readonly entry: EntryView
  readonly value: string
  readonly problem: string | undefined
  readonly onValue: (text: string) => void
}): ReactNode {
  const { parts } = useWords().data
  const type = { type: entry.key, input: entry.input, isFile: false, options: entry.options, entries: [] }
  return (
    <ValueInput
      label={parts[entry.key] ?? entry.key}
      type={type}
      value={value}
      onValue={onValue}
      isOptional={!entry.isRequired}
      problems={problem === undefined ? {} : { '': problem }}
    />
  )
}
