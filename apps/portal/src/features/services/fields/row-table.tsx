import { Button, useLanguage } from '@sealpost/ui'
import { type Column, DeskSection, Status, Table } from '@sealpost/ui/desk'
import type { ReactNode } from 'react'
import { useWords } from '../../../words/index.ts'
import type { AskedRow } from '../../../worker/commands/request-rows.ts'
import { differenceOf } from './difference.ts'
import { typeName } from './type-name.ts'
import classes from './fields.module.css'

interface RowTableProps {
  readonly rows: readonly AskedRow[]
  readonly base: readonly AskedRow[]
  readonly onOpen: (at: number) => void
  readonly onRemove: (at: number) => void
  readonly add: ReactNode
}

type Placed = AskedRow & { readonly at: number }

export function RowTable({ rows, base, onOpen, onRemove, add }: RowTableProps): ReactNode {
  const words = useWords().rows
  const { language } = useLanguage()
  const numbers = new Intl.NumberFormat(language)
  const columns: readonly Column<Placed>[] = [
    {
      key: 'label',
      title: words.label,
      cell: (row) => (
        <>
          <b>{row.label === '' ? words.unnamed : row.label}</b> <ChangeOf row={row} base={base} />
        </>
      ),
    },
    { key: 'type', title: words.type, cell: (row) => row.plugin?.name ?? typeName(words.types, row.type) },
    { key: 'demands', title: words.demands, cell: (row) => demandsOf(words, row).join(', ') },
    {
      key: 'values',
      title: words.given,
      isNumber: true,
      width: 'narrow',
      cell: ({ values }) => numbers.format(values),
    },
    {
      key: 'acts',
      title: words.acts,
      width: 'medium',
      cell: (row) =>
        row.flowName === null ? (
          <span className={classes.acts}>
            <Button look="bare" aria-label={words.changeRow(row.label)} onClick={() => onOpen(row.at)}>
              {words.change}
            </Button>
            <Button look="bare" aria-label={words.removeRow(row.label)} onClick={() => onRemove(row.at)}>
              {words.remove}
            </Button>
          </span>
        ) : (
          words.ofFlow(row.flowName)
        ),
    },
  ]
  return (
    <DeskSection title={words.title} acts={add}>
      <Table
        label={words.title}
        columns={columns}
        rows={rows.map((row, at) => ({ ...row, at }))}
        keyOf={({ id, at }) => id ?? `new-${at}`}
        nameOf={({ label }) => label}
        empty={null}
      />
    </DeskSection>
  )
}

function ChangeOf({ row, base }: { readonly row: AskedRow; readonly base: readonly AskedRow[] }): ReactNode {
  const words = useWords().rows
  const before = base.filter(({ id }) => id === row.id)
  if (row.id === null) return <Status kind="calm">{words.isNew}</Status>
  return differenceOf(before, [row]).changed.length === 0 ? null : <Status kind="calm">{words.isChanged}</Status>
}

interface DemandWords {
  readonly needed: string
  readonly stays: string
  readonly once: string
  readonly checked: string
  readonly free: string
  readonly onlyFor: Readonly<Record<'person' | 'company', string>>
}

function demandsOf(words: DemandWords, row: AskedRow): readonly string[] {
  const demands = [
    row.mandatoryProvide ? words.needed : null,
    row.mandatoryConnected ? words.stays : null,
    row.oneTime ? words.once : null,
    row.verified ? words.checked : null,
    row.audience === 'both' ? null : words.onlyFor[row.audience],
  ].filter((demand) => demand !== null)
  return demands.length === 0 ? [words.free] : demands
}
