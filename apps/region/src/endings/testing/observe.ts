import { type RecordKind, type RecordName, recordNames, records, type Rows, sides, type Side } from '../records.ts'
import type { Fate, RowsFate } from '../table.ts'
import { reads } from './reads.ts'
import type { Stage } from './stage.ts'

/** What a side reads of a kind of record and how many rows of it there are, before an ending or after it. */
export interface Look {
  readonly read: string | null
  /** By table; empty for a side that keeps none. */
  readonly rows: ReadonlyMap<string, number>
}

/** By kind and side. */
export type Looks = ReadonlyMap<string, Look>

/** All kinds that concern the customer of the stage. */
export function kindsOf({ setting }: Stage): readonly RecordName[] {
  return recordNames.filter((name) => setting.customerType === 'person' || !isOfPersons(records[name]))
}

function isOfPersons({ isOfPersons: only }: RecordKind): boolean {
  return only === true
}

/** The sides that have rows of a kind, or read it. */
export function sidesOf(kind: RecordName): readonly Side[] {
  const { rows }: RecordKind = records[kind]
  return sides.filter((side) => rows[side] !== undefined || readOf(kind, side) !== undefined)
}

function readOf(kind: RecordName, side: Side) {
  return side === 'platform' ? undefined : reads[kind]?.[side]
}

export async function lookAt(stage: Stage): Promise<Looks> {
  const counts = await countRows(stage)
  const looks = new Map<string, Look>()
  for (const kind of kindsOf(stage))
    for (const side of sidesOf(kind)) {
      const own = counts.filter((one) => one.kind === kind && one.side === side)
      const rows = new Map(own.map((one) => [one.table, one.count]))
      looks.set(`${kind} ${side}`, { read: (await readOf(kind, side)?.(stage)) ?? null, rows })
    }
  return looks
}

interface Counted {
  readonly kind: RecordName
  readonly side: Side
  readonly table: string
  count: number
}

/** One statement for each database. The two sides of a kind have tables of their own, so both regions are added. */
async function countRows({ world, ids }: Stage): Promise<readonly Counted[]> {
  const all = listRows()
  const counted = all.map(({ kind, side, rows }) => ({ kind, side, table: tableOf(rows), count: 0 }))
  for (const site of ['eu', 'us', 'directory'] as const) {
    const parts: string[] = []
    const values: string[] = []
    for (const [place, { rows }] of all.entries())
      if (rows.startsWith('directory.') === (site === 'directory'))
        parts.push(`select ${place} as place, count(*)::int as count from ${bind(rows, ids, values)}`)
    const found = await world.rows<{ place: number; count: number }>(parts.join(' union all '), values, site)
    for (const { place, count } of found) {
      const one = counted[place]
      if (one !== undefined) one.count += count
    }
  }
  return counted
}

/** All rows that the table of endings names. */
export function listRows(): readonly { readonly kind: RecordName; readonly side: Side; readonly rows: Rows }[] {
  return recordNames.flatMap((kind) => {
    const { rows }: RecordKind = records[kind]
    return sides.flatMap((side) => (rows[side] ?? []).map((one) => ({ kind, side, rows: one })))
  })
}

export function tableOf(rows: Rows): string {
  return rows.slice(0, rows.indexOf(' '))
}

function bind(rows: Rows, ids: Readonly<Record<string, string>>, values: string[]): string {
  return rows.replaceAll(/:([a-z]+)/g, (_all, name: string) => {
    const id = ids[name]
    if (id === undefined) return 'null'
    values.push(id)
    return `$${values.length}`
  })
}

/** What an ending made of each kind, for each side: the words of the table. */
export function compare(before: Looks, after: Looks): ReadonlyMap<string, Fate> {
  return new Map(
    [...before].map(([key, was]) => {
      const is = after.get(key) ?? { read: null, rows: new Map<string, number>() }
      return [key, fateOf(was, is)]
    }),
  )
}

function fateOf(was: Look, is: Look): Fate {
  const seen = is.read === was.read ? 'kept' : (is.read ?? 'gone')
  const rows = rowsFate(was.rows, is.rows)
  if (was.read === null || seen === rows) return rows
  if (was.rows.size === 0 && (seen === 'kept' || seen === 'gone')) return seen
  return rows === 'kept' ? { reads: seen } : { reads: seen, rows }
}

function rowsFate(was: ReadonlyMap<string, number>, is: ReadonlyMap<string, number>): RowsFate {
  const counts = [...was].map(([table, count]) => [count, is.get(table) ?? 0] as const)
  if (counts.every(([before, after]) => before === after)) return 'kept'
  if (counts.every(([before]) => before === 0)) return 'made'
  return counts.every(([, after]) => after === 0) ? 'gone' : 'changed'
}
