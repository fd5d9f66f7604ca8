import { Field, formatBytes, useLanguage } from '@sealpost/ui'
import { Problem, useAct } from '@sealpost/web-app'
import { FileText } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { call } from '../../shell/worker.ts'
import { useWords } from '../../words/index.ts'
import type { AnswerDraft } from '../../worker/commands/turns.ts'
import { TakePicture } from '../camera/take-picture.tsx'
import { EntryInputs, problemOfFile } from '../data/entry-input.tsx'
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
  const isPages = question.type.input === 'pages'
  const keep = (chosen: readonly File[]): void => {
    if (chosen.length > 0) void act.run(keeping(props, chosen, isPages && given !== null))
  }
  const remove = (): void => {
    onAnswer(null)
    // A new input: the old one still names the file.
    setShown(shown + 1)
  }
  const { '': problem, ...others } = problems
  const ofFile = problemOfFile(others, question.type.entries)
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
            multiple={isPages}
            accept={ACCEPTED[question.type.type]}
            onChange={(event) => keep([...(event.currentTarget.files ?? [])])}
          />
        )}
      </Field>
      {isPages || question.type.type === 'photo' ? (
        <TakePicture
          name={`${words.data.pages.fileName}-${(given?.files.length ?? 0) + 1}`}
          onPicture={(picture) => keep([picture])}
        />
      ) : null}
      {given === null ? null : <Chosen given={given} onRemove={remove} />}
      {given === null ? null : (
        <EntryInputs
          entries={question.type.entries}
          values={given.entries}
          problems={others}
          onValues={(entries) => onAnswer({ ...given, entries })}
        />
      )}
      <Problem failure={act.failure} />
    </div>
  )
}

type GivenFiles = Extract<AnswerDraft, { readonly kind: 'files' }>

/** The files go to the worker; the draft names them. `isMore`: after those that are there. */
function keeping({ question, answer, onAnswer, filling }: QuestionProps, chosen: readonly File[], isMore: boolean) {
  return async (): Promise<void> => {
    const files = await Promise.all(
      chosen.map(async (file) => ({
        name: file.name,
        mimeType: file.type,
        bytes: new Uint8Array(await file.arrayBuffer()),
      })),
    )
    await call('keepAnswerFiles', { runId: filling.view.runId, slug: question.slug, files, isMore })
    const facts = files.map(({ name, mimeType, bytes }) => ({ name, mimeType, size: bytes.length }))
    const before = answer?.kind === 'files' ? answer : { files: [], entries: {} }
    onAnswer({ kind: 'files', files: isMore ? [...before.files, ...facts] : facts, entries: before.entries })
  }
}

function Chosen({ given, onRemove }: { readonly given: GivenFiles; readonly onRemove: () => void }): ReactNode {
  const { files: words } = useWords().flows
  const { language } = useLanguage()
  return (
    <ul className={classes.files} aria-label={words.chosen}>
      {given.files.map(({ name, size }, at) => (
        <li key={at}>
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

const ACCEPTED: Readonly<Record<string, string>> = { pdf_document: 'application/pdf', photo: 'image/*' }
