import type { AskedRow } from '../../../worker/commands/request-rows.ts'

const MEMBERS = [
  'label',
  'oneTime',
  'mandatoryProvide',
  'mandatoryConnected',
  'audience',
  'verified',
  'maxAgeDays',
] as const satisfies readonly (keyof AskedRow)[]

export type Member = (typeof MEMBERS)[number]

/** What a publication changes, row by row. */
export interface Difference {
  readonly added: readonly AskedRow[]
  readonly changed: readonly ChangedRow[]
  readonly removed: readonly AskedRow[]
}

export interface ChangedRow {
  readonly before: AskedRow
  readonly after: AskedRow
  readonly members: readonly Member[]
}

export function differenceOf(before: readonly AskedRow[], after: readonly AskedRow[]): Difference {
  const pairs = after.map((row) => ({ row, old: sameIn(before, row) }))
  return {
    added: pairs.flatMap(({ row, old }) => (old === undefined ? [row] : [])),
    changed: pairs.flatMap(({ row, old }) => {
      const members = old === undefined ? [] : MEMBERS.filter((member) => old[member] !== row[member])
      return old === undefined || members.length === 0 ? [] : [{ before: old, after: row, members }]
    }),
    removed: before.filter((row) => sameIn(after, row) === undefined),
  }
}

export function isSame({ added, changed, removed }: Difference): boolean {
  return added.length + changed.length + removed.length === 0
}

/** Values that a publication deletes: one of each customer who has given it. */
export function valuesLost({ removed }: Difference): number {
  return removed.reduce((sum, { values }) => sum + values, 0)
}

/**
 * What was changed here, on top of what another user has published meanwhile: their row where only they have changed it,
 * this side's members where this side has. A row that either side removed is gone.
 */
export function mergeRows(
  base: readonly AskedRow[],
  theirs: readonly AskedRow[],
  mine: readonly AskedRow[],
): readonly AskedRow[] {
  const kept = theirs.flatMap((their) => {
    const [old, own] = [sameIn(base, their), sameIn(mine, their)]
    if (old === undefined) return [their]
    return own === undefined ? [] : [mergeRow(old, their, own)]
  })
  return [...kept, ...mine.filter(({ id }) => id === null)]
}

/** Rows that both sides have changed or removed. */
export function rowsOfBoth(
  base: readonly AskedRow[],
  theirs: readonly AskedRow[],
  mine: readonly AskedRow[],
): readonly AskedRow[] {
  const touched = (side: readonly AskedRow[]): ReadonlySet<string | null> => {
    const { changed, removed } = differenceOf(base, side)
    return new Set([...changed.map(({ before }) => before.id), ...removed.map(({ id }) => id)])
  }
  const [byThem, byMe] = [touched(theirs), touched(mine)]
  return base.filter(({ id }) => byThem.has(id) && byMe.has(id))
}

function mergeRow(old: AskedRow, their: AskedRow, own: AskedRow): AskedRow {
  const changes = MEMBERS.filter((member) => own[member] !== old[member]).map(
    (member) => [member, own[member]] as const,
  )
  return { ...their, ...Object.fromEntries(changes) }
}

function sameIn(rows: readonly AskedRow[], { id }: AskedRow): AskedRow | undefined {
  return id === null ? undefined : rows.find((row) => row.id === id)
}
