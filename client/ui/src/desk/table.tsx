import { ArrowDown, ArrowUp } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from '../controls/button.tsx'
import { useUiWords } from '../words/ui-words.ts'
import { Selecting, type Selection } from './selecting.tsx'
import { SkeletonRows } from './skeleton.tsx'
import classes from './table.module.css'

export interface Column<Row> {
  readonly key: string
  readonly title: string
  readonly cell: (row: Row) => ReactNode
  readonly isNumber?: boolean
  readonly canSort?: boolean
  /** The others share what is left. */
  readonly width?: 'narrow' | 'medium'
}

export interface Sort {
  readonly key: string
  readonly isDescending: boolean
}

export interface TableProps<Row> {
  /** What the rows are, for a screen reader. */
  readonly label: string
  readonly columns: readonly Column<Row>[]
  /** Null while the first page is read. */
  readonly rows: readonly Row[] | null
  readonly keyOf: (row: Row) => string
  readonly nameOf: (row: Row) => string
  /** The page of a row: the first cell is a link there. */
  readonly hrefOf?: (row: Row) => string
  /** The row that stands open beside the table. */
  readonly openKey?: string | undefined
  readonly sort?: Sort
  readonly onSort?: (sort: Sort) => void
  readonly selection?: Selection
  /** The server has more behind its cursor. */
  readonly more?: { readonly isBusy: boolean; readonly onMore: () => void } | undefined
  /** There are no rows. */
  readonly empty: ReactNode
}

/** Dense rows of one kind. Totals are not counted: the server says only whether there is more. */
export function Table<Row>(props: TableProps<Row>): ReactNode {
  const { label, columns, rows, empty, more, selection, keyOf } = props
  const words = useUiWords().desk
  if (rows?.length === 0 && more === undefined) return empty
  return (
    <div className={classes.scroll}>
      <table className={classes.table} aria-label={label} aria-busy={rows === null}>
        <thead>
          <tr>
            {selection === undefined ? null : (
              <th className={classes.tick} scope="col">
                <Selecting selection={selection} keys={(rows ?? []).map(keyOf)} />
              </th>
            )}
            {columns.map((column) => (
              <Head key={column.key} column={column} {...props} />
            ))}
          </tr>
        </thead>
        <tbody>
          {rows === null ? (
            <SkeletonRows columns={columns.length + (selection === undefined ? 0 : 1)} />
          ) : (
            rows.map((row) => <Line key={keyOf(row)} row={row} {...props} />)
          )}
        </tbody>
      </table>
      {more === undefined ? null : (
        <div className={classes.more}>
          <Button busy={more.isBusy ? words.loadingMore : null} onClick={more.onMore}>
            {words.more}
          </Button>
          <span>{words.rows(rows?.length ?? 0)}</span>
        </div>
      )}
    </div>
  )
}

function Head<Row>({ column, sort, onSort }: TableProps<Row> & { readonly column: Column<Row> }): ReactNode {
  const { key, title, isNumber, canSort = false, width } = column
  const isSorted = sort?.key === key
  const isDescending = isSorted && sort.isDescending
  const className = [isNumber === true ? classes.number : null, width === undefined ? null : classes[width]]
  const name = className.filter((each) => each !== null).join(' ')
  if (!canSort || onSort === undefined)
    return (
      <th scope="col" className={name}>
        {title}
      </th>
    )
  return (
    <th scope="col" className={name} aria-sort={isSorted ? (isDescending ? 'descending' : 'ascending') : 'none'}>
      <button type="button" onClick={() => onSort({ key, isDescending: isSorted && !isDescending })}>
        {title}
        {isSorted ? isDescending ? <ArrowDown size={12} aria-hidden /> : <ArrowUp size={12} aria-hidden /> : null}
      </button>
    </th>
  )
}

function Line<Row>(props: TableProps<Row> & { readonly row: Row }): ReactNode {
  const { row, columns, keyOf, nameOf, hrefOf, openKey, selection, rows } = props
  const key = keyOf(row)
  const isSelected = selection?.keys.has(key) === true
  return (
    <tr
      className={key === openKey ? classes.open : undefined}
      aria-selected={selection === undefined ? undefined : isSelected}
    >
      {selection === undefined ? null : (
        <td className={classes.tick}>
          <Selecting selection={selection} keys={(rows ?? []).map(keyOf)} one={key} name={nameOf(row)} />
        </td>
      )}
      {columns.map((column, at) => {
        const content = column.cell(row)
        return (
          <td key={column.key} className={column.isNumber === true ? classes.number : undefined}>
            {at === 0 && hrefOf !== undefined ? (
              <a href={hrefOf(row)} aria-current={key === openKey ? 'true' : undefined}>
                {content}
              </a>
            ) : (
              content
            )}
          </td>
        )
      })}
    </tr>
  )
}
