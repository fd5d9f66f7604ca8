import { ButtonLink, formatDay, formatWhen, Page, Row, Rows, Seal, Section, useLanguage } from '@sealpost/ui'
import { nowMs, Shown, together } from '@sealpost/web-app'
import { FileText, MessageSquare } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { href } from '../../routes.ts'
import type { PageProps } from '../../shell/app.tsx'
import { useRead } from '../../shell/worker.ts'
import { useWords } from '../../words/index.ts'
import type { AskedView, ConnectionView } from '../../worker/commands/connections.ts'
import type { FieldView } from '../../worker/commands/data.ts'
import { displayValue } from '../data/display.ts'
import { ChangeAnswer } from './change-answer.tsx'
import classes from './connection.module.css'

const ICON = { size: 22, strokeWidth: 1.75, className: classes.icon, 'aria-hidden': true } as const

/** One company: what it sees, what it asks for, and the way out. */
export default function Connection({ params }: PageProps): ReactNode {
  const words = useWords().connections
  const id = params['connection'] ?? ''
  const connection = useRead('readConnection', 'connections', id)
  const fields = useRead('listFields', 'data')
  const back = { href: href('sees'), label: words.sees.title }
  const read = together({ connection, fields })
  if (read.state !== 'ready')
    return (
      <Page title={words.sees.title} back={back}>
        <Shown of={read}>{() => null}</Shown>
      </Page>
    )
  const { companyName, serviceName, asked } = read.value.connection
  const given = asked.filter((row) => row.given !== null)
  return (
    <Page title={companyName} lead={words.connection.lead(serviceName, given.length)} back={back}>
      <Parts {...read.value} />
    </Page>
  )
}

function Parts({
  connection,
  fields,
}: {
  readonly connection: ConnectionView
  readonly fields: readonly FieldView[]
}): ReactNode {
  const words = useWords().connections.connection
  const { language } = useLanguage()
  const { asked, card } = connection
  const pending = asked.filter(({ isPending }) => isPending)
  const given = asked.filter((row) => row.given !== null)
  const withheld = asked.filter((row) => row.given === null && !row.isPending)
  const group = { connection, fields }
  return (
    <>
      <p className={classes.since}>
        <Seal name={connection.companyName} id={connection.companyId} />
        {words.since(formatDay(language, connection.connectedAt, nowMs()))}
      </p>
      <Group {...group} title={words.pending} rows={pending} />
      <Group {...group} title={words.shared} rows={given} />
      <Group {...group} title={words.withheld} rows={withheld} />
      <Section title={words.post}>
        <Rows label={words.post}>
          <Row
            start={<MessageSquare {...ICON} />}
            name={words.write}
            href={href('thread', { connection: connection.id })}
          />
          <Row
            start={<FileText {...ICON} />}
            name={words.papers}
            href={`${href('papers')}?${new URLSearchParams({ company: connection.companyId }).toString()}`}
          />
        </Rows>
      </Section>
      {card.length === 0 ? null : (
        <Section title={words.about}>
          <Rows label={words.about}>
            {card.map(({ label, value }) => (
              <Row key={label} name={value} about={label} />
            ))}
          </Rows>
        </Section>
      )}
      <div>
        <ButtonLink look="danger" href={href('endConnection', { connection: connection.id })}>
          {words.end}
        </ButtonLink>
      </div>
    </>
  )
}

interface GroupProps {
  readonly title: string
  readonly rows: readonly AskedView[]
  readonly connection: ConnectionView
  readonly fields: readonly FieldView[]
}

function Group({ title, rows, connection, fields }: GroupProps): ReactNode {
  if (rows.length === 0) return null
  return (
    <Section title={title}>
      <ul className={classes.rows} aria-label={title}>
        {rows.map((row) => (
          <AskedRow key={row.slug} row={row} connection={connection} fields={fields} />
        ))}
      </ul>
    </Section>
  )
}

function AskedRow({
  row,
  connection,
  fields,
}: {
  readonly row: AskedView
  readonly connection: ConnectionView
  readonly fields: readonly FieldView[]
}): ReactNode {
  const words = useWords()
  const texts = words.connections.connection
  const { language } = useLanguage()
  const [isOpen, setOpen] = useState(false)
  const field = fields.find(({ id }) => id === row.given?.fieldId)
  const own = field === undefined ? null : { type: field.type, text: field.value?.text ?? '' }
  const { typed: given = null } = row.given ?? {}
  const typed = given === null ? null : { type: row.type, text: given }
  const shown = own ?? typed
  const text = shown === null ? texts.typedUnseen : displayValue(words, language, shown.type, shown.text)
  return (
    <li className={classes.row}>
      <div className={classes.line}>
        <div>
          <p className={classes.label}>{row.label}</p>
          {row.given === null ? null : <p className={classes.text}>{text}</p>}
          <p className={classes.about}>
            {typed === null ? null : `${texts.typed} · `}
            {aboutOf(words, row, (at) => formatWhen(language, at, nowMs()))}
          </p>
        </div>
        <button
          className={classes.change}
          type="button"
          aria-expanded={isOpen}
          aria-label={`${row.given === null ? texts.decide : texts.change}: ${row.label}`}
          onClick={() => setOpen(!isOpen)}
        >
          {row.given === null ? texts.decide : texts.change}
        </button>
      </div>
      {isOpen ? <ChangeAnswer row={row} connection={connection} fields={fields} onDone={() => setOpen(false)} /> : null}
    </li>
  )
}

function aboutOf({ connections }: ReturnType<typeof useWords>, row: AskedView, when: (at: string) => string): string {
  const { given } = row
  if (given !== null) return (given.isLive ? connections.sees.live : connections.sees.copy)(when(given.since))
  if (row.isPending) return connections.connection.pendingLead
  return row.isNeeded ? connections.offer.needed : connections.offer.optional
}
