import { Button, Empty, formatWhen, Page, Row, Rows, Section, useLanguage, useParts } from '@sealpost/ui'
import { nowMs, Problem, Shown } from '@sealpost/web-app'
import { Plus } from 'lucide-react'
import { memo, type ReactNode, useState } from 'react'
import { href } from '../../routes.ts'
import { useRead } from '../../shell/worker.ts'
import { useWords } from '../../words/index.ts'
import type { ConnectionView } from '../../worker/commands/connections.ts'
import type { FieldView } from '../../worker/commands/data.ts'
import { displayValue } from './display.ts'
import { labelOf } from './labels.ts'
import { viewersOf } from './viewers.ts'

export default function DataList(): ReactNode {
  const words = useWords().data
  const fields = useRead('listFields', 'data')
  const connections = useRead('listConnections', 'connections')
  return (
    <Page title={words.title} lead={words.lead}>
      {fields.state === 'ready' && connections.state === 'failed' ? (
        <Problem failure={connections.failure} onAgain={connections.again} />
      ) : null}
      <Shown of={fields}>
        {(all) => <Lists fields={all} connections={connections.state === 'ready' ? connections.value : null} />}
      </Shown>
    </Page>
  )
}

function Lists({
  fields,
  connections,
}: {
  readonly fields: readonly FieldView[]
  /** Null until they were read: then the rows do not say who sees what. */
  readonly connections: readonly ConnectionView[] | null
}): ReactNode {
  const { data } = useWords()
  const filled = fields.filter(({ value }) => value !== null)
  const open = fields.filter(({ value }) => value === null)
  const drawn = useParts(filled)
  return (
    <>
      {filled.length === 0 ? (
        <Empty>{data.empty}</Empty>
      ) : (
        <Section title={data.filled}>
          <Rows label={data.filled}>
            {drawn.map((field) => (
              <Filled key={field.id} field={field} connections={connections} />
            ))}
          </Rows>
        </Section>
      )}
      <Section title={data.open}>
        <OpenFields fields={open} />
      </Section>
    </>
  )
}

const Filled = memo(function Filled({
  field,
  connections,
}: {
  readonly field: FieldView
  readonly connections: readonly ConnectionView[] | null
}): ReactNode {
  const words = useWords()
  const { language } = useLanguage()
  const { value, type } = field
  if (value === null) return null
  const shown = value.isOpened ? displayValue(words, language, type, value.text) : words.data.cannotOpen
  const viewers = connections === null ? [] : [words.data.sharedWith(viewersOf(field.id, connections).length)]
  const changed = words.data.changed(formatWhen(language, value.updatedAt, nowMs()))
  return (
    <Row
      name={shown}
      about={[labelOf(words, field), ...viewers, changed].join(' · ')}
      href={href('field', { field: field.id })}
    />
  )
})

function OpenFields({ fields }: { readonly fields: readonly FieldView[] }): ReactNode {
  const words = useWords()
  const [isWhole, setWhole] = useState(false)
  const shown = isWhole ? fields : fields.filter(({ slug, isOwn }) => isOwn || COMMON.has(slug))
  return (
    <>
      <Rows label={words.data.open}>
        {shown.map((field) => (
          <Row key={field.id} name={labelOf(words, field)} href={href('field', { field: field.id })} />
        ))}
        <Row start={<Plus size={20} aria-hidden />} name={words.data.add} href={href('newField')} />
      </Rows>
      {shown.length < fields.length ? (
        <div>
          <Button look="bare" onClick={() => setWhole(true)}>
            {words.data.more(fields.length - shown.length)}
          </Button>
        </div>
      ) : null}
    </>
  )
}

/** What one is asked for most; the others are a tap away. */
const COMMON = new Set(['first_name', 'last_name', 'email', 'phone', 'address', 'date_of_birth'])
