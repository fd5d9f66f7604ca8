import { Button, Chips, Empty, FieldRow, formatWhen, SelectField, useLanguage } from '@sealpost/ui'
import { type Column, DeskPage, lastDays, Table } from '@sealpost/ui/desk'
import { nowMs, Problem, type Read } from '@sealpost/web-app'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { href } from '../../routes.ts'
import { useRead } from '../../shell/worker.ts'
import { useWords } from '../../words/index.ts'
import type { AuditView } from '../../worker/commands/audit.ts'
import { actionText, actorText } from './entry-text.ts'
import { actionsOf, type Filter, filterOf, NO_FILTER, queryOf, readFilter } from './filter.ts'

const STEP = 50
const PERIODS = [0, 1, 7, 30, 90] as const

/** What was changed in the account, by whom. The filters stand in the address. */
export default function Audit(): ReactNode {
  const words = useWords().audit
  const [filter, setFilter] = useState(() => readFilter(new URLSearchParams(location.search)))
  const [most, setMost] = useState(STEP)
  const change = (wanted: Partial<Filter>): void => {
    const next = { ...filter, ...wanted }
    setFilter(next)
    setMost(STEP)
    history.replaceState(null, '', `${href('audit')}${queryOf(next)}`)
  }
  const today = new Date(nowMs()).toISOString().slice(0, 10)
  const read = useRead('listAudit', 'audit', filterOf(filter, lastDays(today, filter.days).from), most)
  const shown = useKept(read, JSON.stringify(filter))
  return (
    <DeskPage title={words.title} lead={words.lead}>
      <Filters filter={filter} entries={shown?.entries ?? []} onChange={change} />
      {read.state === 'failed' ? <Problem failure={read.failure} onAgain={read.again} /> : null}
      {read.state === 'failed' && shown === null ? null : (
        <Table<AuditView>
          label={words.title}
          columns={useColumns()}
          rows={shown?.entries ?? null}
          keyOf={({ id }) => id}
          nameOf={({ action }) => actionText(words, action)}
          more={
            shown?.hasMore === true
              ? { isBusy: read.state === 'pending', onMore: () => setMost(most + STEP) }
              : undefined
          }
          empty={
            queryOf(filter) === '' ? (
              <Empty>{words.empty}</Empty>
            ) : (
              <Empty act={<Button onClick={() => change(NO_FILTER)}>{words.showAll}</Button>}>{words.noMatch}</Empty>
            )
          }
        />
      )}
    </DeskPage>
  )
}

/** While more is read, what was read stays; not when something else was asked for. */
function useKept<T>(read: Read<T>, of: string): T | null {
  const kept = useRef<{ readonly of: string; readonly value: T } | null>(null)
  const value = read.state === 'ready' ? read.value : kept.current?.of === of ? kept.current.value : null
  useEffect(() => {
    kept.current = value === null ? null : { of, value }
  }, [of, value])
  return value
}

interface FiltersProps {
  readonly filter: Filter
  readonly entries: readonly AuditView[]
  readonly onChange: (change: Partial<Filter>) => void
}

function Filters({ filter, entries, onChange }: FiltersProps): ReactNode {
  const words = useWords().audit
  const services = useRead('listServices', 'services')
  const actors = useActors(entries)
  const named = services.state === 'ready' ? services.value : []
  return (
    <>
      <Chips
        label={words.period}
        chips={PERIODS.map((days) => ({ id: String(days), name: words.periods(days) }))}
        chosen={String(filter.days)}
        onChoose={(days) => onChange({ days: Number(days) })}
      />
      <FieldRow>
        <SelectField
          label={words.what}
          value={filter.action}
          onValue={(action) => onChange({ action })}
          options={[
            { value: '', label: words.everything },
            ...actionsOf(words.actions).map((action) => ({ value: action, label: actionText(words, action) })),
          ]}
        />
        <SelectField
          label={words.who}
          value={filter.actor}
          onValue={(actor) => onChange({ actor })}
          options={[{ value: '', label: words.everyone }, ...actors]}
        />
        <SelectField
          label={words.service}
          value={filter.service}
          onValue={(service) => onChange({ service })}
          options={[
            { value: '', label: words.everyService },
            ...named.map(({ id, name }) => ({ value: id, label: name })),
          ]}
        />
      </FieldRow>
    </>
  )
}

/** All that this page has shown: a filter must not take the others out of its own list. */
function useActors(entries: readonly AuditView[]): readonly { readonly value: string; readonly label: string }[] {
  const words = useWords().audit
  const [seen, setSeen] = useState<ReadonlyMap<string, string>>(new Map())
  useEffect(() => {
    setSeen(
      (before) => new Map([...before, ...entries.map((entry) => [entry.actorId, actorText(words, entry)] as const)]),
    )
  }, [entries, words])
  return [...seen].map(([value, label]) => ({ value, label }))
}

function useColumns(): readonly Column<AuditView>[] {
  const words = useWords().audit
  const { language } = useLanguage()
  return [
    { key: 'at', title: words.when, width: 'medium', cell: ({ at }) => formatWhen(language, at, nowMs()) },
    { key: 'who', title: words.who, width: 'medium', cell: (entry) => actorText(words, entry) },
    { key: 'what', title: words.what, cell: ({ action }) => actionText(words, action) },
    {
      key: 'service',
      title: words.service,
      width: 'medium',
      cell: ({ serviceId, serviceName }) => serviceName ?? (serviceId === null ? words.account : words.gone),
    },
  ]
}
