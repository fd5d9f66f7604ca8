import { Button, failureOf, Field, Fields, Form, Notice, SelectField, TextField, Tick } from '@sealpost/ui'
import { Problem, type Read, Shown, useAct } from '@sealpost/web-app'
import { FileText } from 'lucide-react'
import { type ReactNode, useCallback, useEffect, useState } from 'react'
import { call } from '../../shell/worker.ts'
import { useWords } from '../../words/index.ts'
import type { FieldView, OpenedFilesView, PageLabel, PageView } from '../../worker/commands/data.ts'
import { TakePicture } from '../camera/take-picture.tsx'
import { EntryInputs, problemOfFile } from './entry-input.tsx'
import { labelOfNext, MOST_PAGES } from './pages.ts'
import { Picture } from './picture.tsx'
import { problemsOf } from './problems.ts'
import classes from './pages-input.module.css'

const NOTHING: OpenedFilesView = { files: [], holder: '', entries: {} }

/** An identity document: its pages as pictures, and what is said about it. */
export function PagesInput({ field }: { readonly field: FieldView }): ReactNode {
  // As the page opens: what is saved here afterwards is in the form already.
  const [isEmpty] = useState(field.value === null)
  return isEmpty ? <Edit field={field} stored={NOTHING} /> : <Opened field={field} />
}

function Opened({ field }: { readonly field: FieldView }): ReactNode {
  const opened = useOpened(field.id)
  return <Shown of={opened}>{(stored) => <Edit field={field} stored={stored} />}</Shown>
}

/** Opened anew with each page: an older state would be saved over that of another device. */
function useOpened(fieldId: string): Read<OpenedFilesView> {
  const [read, setRead] = useState<Read<OpenedFilesView>>({ state: 'pending' })
  const load = useCallback(() => {
    call('openFiles', fieldId).then(
      (value) => setRead({ state: 'ready', value }),
      (error: unknown) => setRead({ state: 'failed', failure: failureOf(error), again: load }),
    )
  }, [fieldId])
  useEffect(load, [load])
  return read
}

function Edit({ field, stored }: { readonly field: FieldView; readonly stored: OpenedFilesView }): ReactNode {
  const words = useWords()
  const { field: texts, pages: about } = words.data
  const [pages, setPages] = useState(stored.files)
  const [holder, setHolder] = useState(stored.holder)
  const [entries, setEntries] = useState(stored.entries)
  const [isPrivate, setPrivate] = useState(field.value?.isPrivate ?? true)
  const [isSaved, setSaved] = useState(false)
  const act = useAct()
  const problems = problemsOf(words, act.failure)
  const change = (next: readonly PageView[]): void => {
    setPages(next)
    setSaved(false)
  }
  const add = async (files: readonly File[]): Promise<void> => {
    let next = pages
    for (const file of files.slice(0, MOST_PAGES - pages.length))
      next = [...next, { ...(await contentOf(file)), label: labelOfNext(next) }]
    change(next)
  }
  const wish = { fieldId: field.id, pages, holder: holder.trim(), entries, isPrivate }
  return (
    <Form
      onSend={async () => {
        if (pages.length > 0) setSaved(await act.run(() => call('savePages', wish)))
      }}
    >
      <Pages pages={pages} onPages={change} />
      {pages.length >= MOST_PAGES ? (
        <Notice what={about.full} />
      ) : (
        <AddPage problem={problemOfFile(problems, field.type.entries)} onFiles={(files) => void add(files)} />
      )}
      <Fields>
        <TextField
          label={about.holder}
          isOptional
          autoComplete="name"
          value={holder}
          onValue={setHolder}
          problem={problems['name']}
        />
        <EntryInputs entries={field.type.entries} values={entries} problems={problems} onValues={setEntries} />
      </Fields>
      <Tick label={about.seal} about={texts.sealAbout} isOn={isPrivate} onChange={setPrivate} />
      {act.failure?.kind === 'invalid' ? null : <Problem failure={act.failure} />}
      {isSaved ? <Notice what={texts.saved} /> : null}
      <Button type="submit" look="main" disabled={pages.length === 0} busy={act.isBusy ? texts.saving : null}>
        {texts.save}
      </Button>
    </Form>
  )
}

async function contentOf(file: File): Promise<Omit<PageView, 'label'>> {
  return { name: file.name, mimeType: file.type, bytes: new Uint8Array(await file.arrayBuffer()) }
}

function Pages({
  pages,
  onPages,
}: {
  readonly pages: readonly PageView[]
  readonly onPages: (pages: readonly PageView[]) => void
}): ReactNode {
  const words = useWords().data.pages
  const options = (['front', 'back', 'additional'] as const).map((label) => ({ value: label, label: words[label] }))
  const name = (label: string): PageLabel => options.find(({ value }) => value === label)?.value ?? 'additional'
  if (pages.length === 0) return null
  return (
    <ol className={classes.pages} aria-label={words.list}>
      {pages.map((page, at) => (
        <li key={at} className={classes.page}>
          {page.mimeType.startsWith('image/') ? (
            <Picture
              className={classes.picture}
              bytes={page.bytes}
              mimeType={page.mimeType}
              about={words.page(at + 1)}
            />
          ) : (
            <p className={classes.file}>
              <FileText size={20} aria-hidden />
              {page.name}
            </p>
          )}
          <SelectField
            label={words.page(at + 1)}
            value={page.label}
            options={options}
            onValue={(label) => onPages(pages.with(at, { ...page, label: name(label) }))}
          />
          <Button onClick={() => onPages(pages.toSpliced(at, 1))} aria-label={words.removePage(at + 1)}>
            {words.remove}
          </Button>
        </li>
      ))}
    </ol>
  )
}

/** By the camera, or from files of the device; several at once. */
function AddPage({
  problem,
  onFiles,
}: {
  readonly problem: string | undefined
  readonly onFiles: (files: readonly File[]) => void
}): ReactNode {
  const words = useWords().data
  const [round, setRound] = useState(0)
  return (
    <>
      <TakePicture name={words.pages.fileName} onPicture={(picture) => onFiles([picture])} />
      <Field label={words.pages.add} hint={words.pages.addHint} problem={problem}>
        {(ties) => (
          <input
            {...ties}
            // A new input after each choice: the old one would still name the files.
            key={round}
            type="file"
            multiple
            accept="image/*,application/pdf"
            onChange={(event) => {
              onFiles([...(event.currentTarget.files ?? [])])
              setRound(round + 1)
            }}
          />
        )}
      </Field>
    </>
  )
}
