import { Button, Buttons, Field, Form, Notice, Quiet, Tick } from '@sealpost/ui'
import { Problem, saveFile, useAct } from '@sealpost/web-app'
import { FileDown } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { call } from '../../shell/worker.ts'
import { useWords } from '../../words/index.ts'
import type { FieldView } from '../../worker/commands/data.ts'
import { TakePicture } from '../camera/take-picture.tsx'
import { type Entries, EntryInputs, problemOfFile } from './entry-input.tsx'
import { problemsOf } from './problems.ts'

export function FileInput({ field }: { readonly field: FieldView }): ReactNode {
  const words = useWords()
  const { field: texts } = words.data
  const [file, setFile] = useState<File | null>(null)
  const [isPrivate, setPrivate] = useState(field.value?.isPrivate ?? true)
  const [entries, setEntries] = useState<Entries>({})
  const [isSaved, setSaved] = useState(false)
  const act = useAct()
  const problems = problemsOf(words, act.failure)
  const choose = (chosen: File | null): void => {
    setFile(chosen)
    setSaved(false)
  }
  const save = async (chosen: File): Promise<void> => {
    const bytes = new Uint8Array(await chosen.arrayBuffer())
    const { name, type: mimeType } = chosen
    await call('saveFile', { fieldId: field.id, name, mimeType, bytes, entries, isPrivate })
  }
  const open = async (): Promise<void> => {
    const [opened] = (await call('openFiles', field.id)).files
    if (opened !== undefined) saveFile(opened.name, opened.mimeType, opened.bytes)
  }
  return (
    <Form
      onSend={async () => {
        if (file !== null) setSaved(await act.run(() => save(file)))
      }}
    >
      {field.value === null ? null : (
        <Buttons>
          <Button icon={<FileDown size={18} aria-hidden />} onClick={() => void act.run(open)}>
            {texts.openFile}
          </Button>
        </Buttons>
      )}
      {field.type.type === 'photo' ? <TakePicture name={texts.pictureName} onPicture={choose} /> : null}
      {file === null ? null : <Quiet>{texts.chosen(file.name)}</Quiet>}
      <Field label={texts.file} hint={texts.fileHint} problem={problemOfFile(problems, field.type.entries)}>
        {(ties) => <input {...ties} type="file" onChange={(event) => choose(event.currentTarget.files?.[0] ?? null)} />}
      </Field>
      <EntryInputs entries={field.type.entries} values={entries} problems={problems} onValues={setEntries} />
      <Tick label={texts.seal} about={texts.sealAbout} isOn={isPrivate} onChange={setPrivate} />
      {act.failure?.kind === 'invalid' ? null : <Problem failure={act.failure} />}
      {isSaved ? <Notice what={texts.saved} /> : null}
      <Button type="submit" look="main" disabled={file === null} busy={act.isBusy ? texts.saving : null}>
        {texts.save}
      </Button>
    </Form>
  )
}
