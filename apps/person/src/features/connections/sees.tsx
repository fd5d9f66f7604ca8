import {
  ButtonLink,
  type Chip,
  Chips,
  Empty,
  formatDay,
  formatWhen,
  Page,
  Row,
  Rows,
  Seal,
  Section,
  useLanguage,
} from '@sealpost/ui'
import { nowMs, Shown, together } from '@sealpost/web-app'
import { ChevronRight, EyeOff } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { href } from '../../routes.ts'
import { useRead } from '../../shell/worker.ts'
import { useWords } from '../../words/index.ts'
import type { ConnectionView } from '../../worker/commands/connections.ts'
import type { FieldView } from '../../worker/commands/data.ts'
import { displayValue } from '../data/display.ts'
import { labelOf } from '../data/labels.ts'
import { seenBy, type SeenValue, seenValues } from './seen-values.ts'
import classes from './sees.module.css'

const EVERYBODY = 'everybody'
const ONLY_YOU = 'only-you'

/** Every value, and everybody who can open it. */
export default function Sees(): ReactNode {
  const words = useWords().connections.sees
  const fields = useRead('listFields', 'data')
  const connections = useRead('listConnections', 'connections')
  return (
    <Page title={words.title} lead={words.lead}>
      <Shown of={together({ fields, connections })}>{(read) => <Seen {...read} />}</Shown>
    </Page>
  )
}

function Seen({
  fields,
  connections,
}: {
  readonly fields: readonly FieldView[]
  readonly connections: readonly ConnectionView[]
}): ReactNode {
  const words = useWords().connections.sees
  const [shown, setShown] = useState(EVERYBODY)
  const values = seenValues(fields, connections)
  const isShown = ({ viewers }: SeenValue): boolean => {
    if (shown === EVERYBODY) return true
    if (shown === ONLY_YOU) return viewers.length === 0
    return viewers.some(({ connection }) => connection.id === shown)
  }
  if (connections.length === 0 && values.length === 0)
    return <Empty act={<ButtonLink href={href('connect')}>{words.connect}</ButtonLink>}>{words.empty}</Empty>
  return (
    <>
      <ViewerChips values={values} connections={connections} shown={shown} onShow={setShown} />
      <ul className={classes.values}>
        {values.filter(isShown).map((value) => (
          <Value key={value.key} value={value} />
        ))}
      </ul>
      <Companies connections={connections} />
    </>
  )
}

function ViewerChips({
  values,
  connections,
  shown,
  onShow,
}: {
  readonly values: readonly SeenValue[]
  readonly connections: readonly ConnectionView[]
  readonly shown: string
  readonly onShow: (id: string) => void
}): ReactNode {
  const words = useWords().connections.sees
  const alone = values.filter(({ viewers }) => viewers.length === 0).length
  const chips: readonly Chip[] = [
    { id: EVERYBODY, name: words.everybody },
    ...connections.map(({ id, companyId, companyName }) => ({
      id,
      name: companyName,
      face: <Seal name={companyName} id={companyId} size="small" />,
      count: seenBy(values, id),
    })),
    ...(alone === 0 ? [] : [{ id: ONLY_YOU, name: words.onlyYou, count: alone }]),
  ]
  return <Chips label={words.show} chips={chips} chosen={shown} onChoose={onShow} />
}

function Value({ value }: { readonly value: SeenValue }): ReactNode {
  const words = useWords()
  const { language } = useLanguage()
  const { sees } = words.connections
  const { field, viewers } = value
  const when = (at: string): string => formatWhen(language, at, nowMs())
  const { typed } = value
  const own = field === null ? null : { type: field.type, text: field.value?.text ?? '' }
  const shown = own ?? typed
  return (
    <li className={classes.value}>
      <h2>{field === null ? value.label : labelOf(words, field)}</h2>
      <p className={classes.what}>
        {shown === null
          ? words.connections.connection.typedUnseen
          : displayValue(words, language, shown.type, shown.text)}
        {field === null ? <span className={classes.own}>{sees.typedOnly}</span> : null}
        {viewers.length === 0 ? (
          <span className={classes.own}>
            <EyeOff size={16} aria-hidden /> {sees.onlyYou}
          </span>
        ) : null}
      </p>
      {viewers.length === 0 ? null : (
        <ul>
          {viewers.map(({ connection, slug, isLive, since }) => (
            <li
              key={`${connection.id} ${slug}`}
              className={isLive ? classes.thread : `${classes.thread} ${classes.copy}`}
            >
              <a href={href('connection', { connection: connection.id })}>
                <Seal name={connection.companyName} id={connection.companyId} />
                <span>
                  <b>{connection.companyName}</b>
                  <small>{isLive ? sees.live(when(since)) : sees.copy(when(since))}</small>
                </span>
                <ChevronRight size={20} aria-hidden />
              </a>
            </li>
          ))}
        </ul>
      )}
    </li>
  )
}

function Companies({ connections }: { readonly connections: readonly ConnectionView[] }): ReactNode {
  const { sees, connection: words } = useWords().connections
  const { language } = useLanguage()
  return (
    <Section title={sees.companies}>
      {connections.length === 0 ? null : (
        <Rows label={sees.companies}>
          {connections.map((connection) => (
            <Row
              key={connection.id}
              start={<Seal name={connection.companyName} id={connection.companyId} />}
              name={connection.companyName}
              about={`${connection.serviceName} · ${words.since(formatDay(language, connection.connectedAt, nowMs()))}`}
              href={href('connection', { connection: connection.id })}
            />
          ))}
        </Rows>
      )}
      <div>
        <ButtonLink href={href('connect')}>{sees.connect}</ButtonLink>
      </div>
    </Section>
  )
}
