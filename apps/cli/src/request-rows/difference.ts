import type { ManagedRequestField, RequestFieldToPublish } from '@sealpost/sdk'
import { isBlank, PUBLISHED_MEMBERS } from './read-rows.ts'

/** What a publication of the given rows changes. */
export interface Difference {
  readonly added: readonly Row[]
  readonly changed: readonly ChangedRow[]
  readonly removed: readonly ManagedRequestField[]
  /** The rows that stay have another order. */
  readonly isReordered: boolean
}

interface ChangedRow {
  readonly slug: string
  readonly members: Readonly<Record<string, { readonly before: unknown; readonly after: unknown }>>
}

type Row = Readonly<Record<(typeof PUBLISHED_MEMBERS)[number], unknown>>

/** Matches as the platform does: by id, else by slug. Rows of flows take no part. */
export function differenceOf(
  published: readonly ManagedRequestField[],
  given: readonly RequestFieldToPublish[],
): Difference {
  const before = published.filter((row) => !isOfFlow(row))
  const matched = matchRows(
    before,
    given.filter((row) => !isOfFlow(row)),
  )
  const kept = matched.flatMap(({ old }) => (old === null ? [] : [old]))
  const stays = new Set(kept)
  const inOrder = before.filter((row) => stays.has(row))
  return {
    added: matched.flatMap(({ row, old }) => (old === null ? [rowOf(row, null)] : [])),
    changed: matched.flatMap(({ row, old }) => (old === null ? [] : changesOf(old, rowOf(row, old)))),
    removed: before.filter((row) => !stays.has(row)),
    isReordered: inOrder.some((row, place) => row !== kept[place]),
  }
}

export function isSame({ added, changed, removed, isReordered }: Difference): boolean {
  return added.length + changed.length + removed.length === 0 && !isReordered
}

/** The first row without a slug that no published row gives one to; -1: none. */
export function namelessRow(
  published: readonly ManagedRequestField[],
  given: readonly RequestFieldToPublish[],
): number {
  const ids = new Set(published.map(({ id }) => id))
  return given.findIndex((row) => !isOfFlow(row) && isBlank(row.slug) && !ids.has(row.id ?? ''))
}

/** One line for each row that differs. `counts`: the customers who have given a value, by row id. */
export function linesOf(difference: Difference, counts: ReadonlyMap<string, number>): readonly string[] {
  const { added, changed, removed, isReordered } = difference
  return [
    ...added.map(({ slug, label, type }) => `+ ${shown(slug)}: ${JSON.stringify(label)}, ${shown(type)}`),
    ...changed.map(({ slug, members }) => {
      const parts = Object.entries(members).map(
        ([name, { before, after }]) => `${name} ${JSON.stringify(before)} -> ${JSON.stringify(after)}`,
      )
      return `~ ${slug}: ${parts.join(', ')}`
    }),
    ...removed.map(({ id, slug, label }) => `- ${slug}: ${JSON.stringify(label)}; ${lossOf(counts.get(id))}`),
    ...(isReordered ? ['the order of the rows changes'] : []),
  ]
}

/** The difference for programs. */
export function documentOf({ removed, isReordered, ...others }: Difference, counts: ReadonlyMap<string, number>) {
  return {
    ...others,
    removed: removed.map(({ id, slug, label }) => ({ slug, label, value_count: counts.get(id) ?? null })),
    is_reordered: isReordered,
  }
}

function lossOf(count: number | undefined): string {
  if (count === undefined) return 'deletes the values that customers have given'
  if (count === 0) return 'no customer has given a value'
  return count === 1 ? 'deletes the value of 1 customer' : `deletes the values of ${count} customers`
}

function shown(text: unknown): string {
  return typeof text === 'string' ? text : JSON.stringify(text)
}

interface Match {
  readonly row: RequestFieldToPublish
  readonly old: ManagedRequestField | null
}

function matchRows(
  published: readonly ManagedRequestField[],
  given: readonly RequestFieldToPublish[],
): readonly Match[] {
  const byId = new Map(published.map((row) => [row.id, row]))
  const named = given.map(({ id }) => byId.get(id ?? '') ?? null)
  const free = new Map(published.filter((row) => !named.includes(row)).map((row) => [row.slug, row]))
  return given.map((row, place) => ({ row, old: named[place] ?? free.get(row.slug ?? '') ?? null }))
}

/** A given row as the platform takes it, which has defaults of its own for each absent member. */
function rowOf(given: RequestFieldToPublish, old: ManagedRequestField | null): Row {
  const { mandatory = false, mandatory_provide: provide, mandatory_connected: connected } = given
  const isShort = provide === undefined && connected === undefined
  return {
    slug: isBlank(given.slug) ? old?.slug : given.slug,
    label: given.label.trim(),
    type: given.type,
    one_time: given.one_time ?? old?.one_time ?? false,
    mandatory_provide: isShort ? mandatory : (provide ?? false),
    mandatory_connected: connected ?? false,
    audience: given.audience ?? old?.audience ?? 'both',
    verified: given.verified ?? false,
    verified_max_age_days: given.verified_max_age_days ?? null,
    plugin: given.plugin ?? null,
  }
}

function changesOf(old: ManagedRequestField, row: Row): readonly ChangedRow[] {
  const differing = PUBLISHED_MEMBERS.filter((name) => JSON.stringify(old[name]) !== JSON.stringify(row[name]))
  if (differing.length === 0) return []
  const members = Object.fromEntries(differing.map((name) => [name, { before: old[name], after: row[name] }]))
  return [{ slug: shown(row.slug), members }]
}

function isOfFlow(row: object): boolean {
  return 'flow_id' in row && row.flow_id !== null && row.flow_id !== undefined
}
