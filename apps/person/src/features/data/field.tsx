import {
  Bullets,
  Button,
  Buttons,
  Card,
  Form,
  formatWhen,
  navigate,
  Notice,
  Page,
  Quiet,
  Row,
  Rows,
  Seal,
  Section,
  TearOff,
  useLanguage,
} from '@sealpost/ui'
import { nowMs, Problem, Shown, useAct } from '@sealpost/web-app'
import { type ReactNode, useState } from 'react'
import { href } from '../../routes.ts'
import type { PageProps } from '../../shell/app.tsx'
import { NotFound } from '../../shell/not-found.tsx'
import { call, useRead } from '../../shell/worker.ts'
import { useWords } from '../../words/index.ts'
import type { FieldView } from '../../worker/commands/data.ts'
import { FileInput } from './file-input.tsx'
import { ValueInput } from './input.tsx'
import { labelOf } from './labels.ts'
import { PagesInput } from './pages-input.tsx'
import { problemsOf } from './problems.ts'
import { Verify } from './verify.tsx'
import { type Viewer, viewersOf } from './viewers.ts'

/** One field: its value, who sees it, and how it came about. */
export default function FieldPage({ params }: PageProps): ReactNode {
  const words = useWords()
  const fields = useRead('listFields', 'data')
  const connections = useRead('listConnections', 'connections')
  if (fields.state !== 'ready')
    return (
      <Page title={words.data.title}>
        <Shown of={fields}>{() => null}</Shown>
      </Page>
    )
  const field = fields.value.find(({ id }) => id === params['field'])
  if (field === undefined) return <NotFound />
  const viewers = connections.state === 'ready' ? viewersOf(field.id, connections.value) : null
  return (
    <Page
      title={labelOf(words, field)}
      lead={leadOf(words, field, viewers)}
      back={{ href: href('data'), label: words.data.title }}
    >
      {connections.state === 'failed' ? <Problem failure={connections.failure} onAgain={connections.again} /> : null}
      {field.value?.isOpened === false ? <Notice kind="bad" {...words.data.field.notOpened} /> : null}
      <Card>
        <Input field={field} viewers={viewers} />
      </Card>
      <Verify field={field} />
      {viewers === null || viewers.length === 0 ? null : <Viewers viewers={viewers} />}
      {field.value === null ? null : <History field={field} viewers={viewers ?? []} />}
      {field.value === null || viewers === null ? null : <Remove field={field} viewers={viewers} />}
    </Page>
  )
}

/** Viewers are null until they were read: who sees the value is not known then. */
function Input({
  field,
  viewers,
}: {
  readonly field: FieldView
  readonly viewers: readonly Viewer[] | null
}): ReactNode {
  if (field.type.input === 'pages') return <PagesInput field={field} />
  return field.type.isFile ? <FileInput field={field} /> : <EditValue field={field} viewers={viewers} />
}

function leadOf({ data }: ReturnType<typeof useWords>, { value }: FieldView, viewers: readonly Viewer[] | null) {
  if (value === null) return data.field.empty
  if (viewers === null) return undefined
  const live = viewers.filter(({ isLive }) => isLive).length
  return live === 0 ? data.sharedWith(viewers.length) : data.field.followedBy(live)
}

function EditValue({
  field,
  viewers,
}: {
  readonly field: FieldView
  readonly viewers: readonly Viewer[] | null
}): ReactNode {
  const words = useWords()
  const [text, setText] = useState(field.value?.text ?? '')
  const [isSaved, setSaved] = useState(false)
  const act = useAct()
  const problems = problemsOf(words, act.failure)
  const isEmpty = text.trim() === ''
  return (
    <Form
      onSend={async () => {
        if (!isEmpty) setSaved(await act.run(() => call('saveValue', { fieldId: field.id, text })))
      }}
    >
      <ValueInput
        label={labelOf(words, field)}
        type={field.type}
        value={text}
        onValue={(value) => {
          setText(value)
          setSaved(false)
        }}
        problems={problems}
      />
      {act.failure?.kind === 'invalid' ? null : <Problem failure={act.failure} />}
      {isSaved ? <Notice what={words.data.field.saved} /> : null}
      <Button
        type="submit"
        look="main"
        disabled={isEmpty || text === field.value?.text}
        busy={act.isBusy ? words.data.field.saving : null}
      >
        {words.data.field.save}
      </Button>
      {viewers?.length === 0 ? <Quiet>{words.data.field.onlyYou}</Quiet> : null}
    </Form>
  )
}

function Viewers({ viewers }: { readonly viewers: readonly Viewer[] }): ReactNode {
  const { data, connections } = useWords()
  const { language } = useLanguage()
  return (
    <Section title={data.field.sees}>
      <Rows label={data.field.sees}>
        {viewers.map(({ connection, slug, isLive, since }) => {
          const when = formatWhen(language, since, nowMs())
          return (
            <Row
              key={`${connection.id} ${slug}`}
              start={<Seal name={connection.companyName} id={connection.companyId} />}
              name={connection.companyName}
              about={isLive ? connections.sees.live(when) : connections.sees.copy(when)}
              href={href('connection', { connection: connection.id })}
            />
          )
        })}
      </Rows>
    </Section>
  )
}

/** What is known about the past of a value: when it changed, and when a service got it. */
function History({ field, viewers }: { readonly field: FieldView; readonly viewers: readonly Viewer[] }): ReactNode {
  const words = useWords().data.field
  const { language } = useLanguage()
  const when = (at: string): string => formatWhen(language, at, nowMs())
  const acts = [
    ...(field.value === null
      ? []
      : [{ at: field.value.updatedAt, text: words.changedAt(when(field.value.updatedAt)) }]),
    ...viewers.map(({ connection, isLive, since }) => ({
      at: since,
      text: (isLive ? words.sharedAt : words.copiedAt)(connection.companyName, when(since)),
    })),
  ].toSorted((one, other) => Date.parse(other.at) - Date.parse(one.at))
  return (
    <Section title={words.history}>
      <Bullets items={acts.map(({ text }) => text)} />
    </Section>
  )
}

function Remove({ field, viewers }: { readonly field: FieldView; readonly viewers: readonly Viewer[] }): ReactNode {
  const { data, shell } = useWords()
  const words = data.field
  const [isAsked, setAsked] = useState(false)
  const act = useAct()
  const remove = async (): Promise<void> => {
    if (await act.run(() => call('deleteValue', field.id))) navigate(href('data'))
  }
  if (!isAsked)
    return (
      <div>
        <Button look="danger" onClick={() => setAsked(true)}>
          {words.remove}
        </Button>
      </div>
    )
  const companies = [...new Set(viewers.map(({ connection }) => connection.companyName))].join(', ')
  return (
    <TearOff
      title={words.removeTitle}
      act={
        <>
          <Problem failure={act.failure} />
          <Buttons>
            <Button look="danger" busy={act.isBusy ? words.removing : null} onClick={() => void remove()}>
              {words.removeAct}
            </Button>
            <Button onClick={() => setAsked(false)}>{shell.cancel}</Button>
          </Buttons>
        </>
      }
    >
      <Quiet>{companies === '' ? words.removeAlone : words.removeShared(companies)}</Quiet>
    </TearOff>
  )
}
