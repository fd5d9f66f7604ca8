import { formatInstant, instant, parseInstant } from '@sealpost/kernel'
import type { Tx } from '@sealpost/postgres'
import { type PageQueryText, parsePageQuery, refuse } from '@sealpost/protocol'
import type { ServicesNeeds } from './needs.ts'
import { invalidQuery, readCursor } from './paging.ts'
import type { ServiceName } from './service.ts'
import {
  countLogs,
  deleteOldLogs,
  insertLogs,
  listLogRows,
  type LogFilter,
  type LogRow,
  type LogType,
} from './store/logs.ts'

export interface LogEntry {
  readonly type: LogType
  /** A sentence for whoever looks after the service; never a value of a customer. */
  readonly message: string
  readonly metadata?: Readonly<Record<string, unknown>>
}

const KEPT_DAYS = 90
const DAY_MS = 86_400_000

/** In the transaction of what happened. */
export function logService(tx: Tx, needs: LogNeeds, service: ServiceName, entry: LogEntry): Promise<void> {
  return logServices(tx, needs, [{ service, entry }])
}

/** What happened to many services at once, in one statement. */
export async function logServices(
  tx: Tx,
  { clock, ids }: LogNeeds,
  happened: readonly { readonly service: ServiceName; readonly entry: LogEntry }[],
): Promise<void> {
  if (happened.length === 0) return
  const createdAt = clock.now()
  const rows = happened.map(({ service: { companyId, serviceId }, entry: { type, message, metadata = {} } }) => {
    return { companyId, serviceId, id: ids.uuid(), type, message, metadata, createdAt }
  })
  await insertLogs(tx, rows)
}

type LogNeeds = Pick<ServicesNeeds, 'clock' | 'ids'>

export interface LogQuery extends PageQueryText {
  readonly type?: LogType
  readonly since?: string
}

export async function listLogs({ database }: Pick<ServicesNeeds, 'database'>, service: ServiceName, query: LogQuery) {
  const page = parsePageQuery(query)
  if (!page.ok) throw refuse('request.invalid', invalidQuery(page.refusal.path, page.refusal.message))
  const { limit, from } = page.value
  const filter = readFilter(query)
  const start =
    'cursor' in from
      ? { before: readCursor(from.cursor, listName(query)), offset: 0 }
      : { before: null, offset: from.offset }
  const { rows, counted } = await database.read(async (read) => ({
    rows: await listLogRows(read, service, filter, { ...start, limit: limit + 1 }),
    counted: filter.type === null && filter.since === null ? await countLogs(read, service) : null,
  }))
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  const hasMore = rows.length > limit && last !== undefined
  return {
    total: counted ?? start.offset + shown.length + (hasMore ? 1 : 0),
    items: shown.map(showRow),
    next_cursor: hasMore ? `${listName(query)}~${last.id}` : null,
  }
}

/** What upkeep does: nothing older than the promise, some at a time. */
export async function tidyLogs(
  { database, clock }: Pick<ServicesNeeds, 'database' | 'clock'>,
  limit: number,
): Promise<void> {
  const before = instant(clock.now() - KEPT_DAYS * DAY_MS)
  let removed = limit
  while (removed === limit) removed = await database.transaction((tx) => deleteOldLogs(tx, before, limit))
}

/** A cursor is good for the list that it was made for. */
function listName({ type, since }: LogQuery): string {
  return `${type ?? ''}.${since ?? ''}`
}

function readFilter({ type, since }: LogQuery): LogFilter {
  const from = since === undefined ? null : parseInstant(since)
  if (since !== undefined && from === null) {
    throw refuse('request.invalid', invalidQuery('/since', 'must be a timestamp such as 2026-05-01T09:30:00Z'))
  }
  return { type: type ?? null, since: from }
}

function showRow({ id, type, message, metadata, createdAt }: LogRow) {
  const at = formatInstant(createdAt)
  return { id, type, message, metadata, created_at: at, at }
}
