import { instant, parseInstant } from '@sealpost/kernel'
import type { Tx } from '@sealpost/postgres'
import type { PageQueryText } from '@sealpost/protocol'
import { invalidQuery, listPage } from '../../../platform/page.ts'
import { removeAll } from '../../../platform/remove-all.ts'
import type { ServicesContext } from '../context.ts'
import type { LogEntry, LogRow, LogType, ServiceName } from '../model.ts'
import { countLogs, deleteOldLogs, insertLogs, listLogRows, type LogFilter } from '../store/logs.ts'
import { logToWire } from '../wire.ts'

const KEPT_DAYS = 90
const DAY_MS = 86_400_000

/** In the transaction of the event. */
export function logService(
  services: Pick<ServicesContext, 'clock' | 'ids'>,
  tx: Tx,
  service: ServiceName,
  entry: LogEntry,
): Promise<void> {
  return logServices(services, tx, [{ service, entry }])
}

/** Entries for many services, in one statement. */
export async function logServices(
  { clock, ids }: Pick<ServicesContext, 'clock' | 'ids'>,
  tx: Tx,
  entries: readonly { readonly service: ServiceName; readonly entry: LogEntry }[],
): Promise<void> {
  if (entries.length === 0) return
  const createdAt = clock.now()
  const rows = entries.map(({ service: { companyId, serviceId }, entry: { type, message, metadata = {} } }) => {
    return { companyId, serviceId, id: ids.uuid(), type, message, metadata, createdAt }
  })
  await insertLogs(tx, rows)
}

export interface LogQuery extends PageQueryText {
  readonly type?: LogType
  readonly since?: string
}

/** Newest first. A filtered list has no counter for its total. */
export async function listLogs({ database }: Pick<ServicesContext, 'database'>, service: ServiceName, query: LogQuery) {
  const filter = readFilter(query)
  const name = `logs.${query.type ?? ''}.${query.since ?? ''}`
  const list = { name, idOf: ({ id }: LogRow) => id, toWire: logToWire }
  const isFiltered = filter.type !== null || filter.since !== null
  return listPage(
    list,
    query,
    (slice) => database.read((read) => listLogRows(read, service, filter, slice)),
    isFiltered ? undefined : () => database.read((read) => countLogs(read, service)),
  )
}

/** Deletes entries older than 90 days, `limit` per transaction. */
export async function tidyLogs(
  { database, clock }: Pick<ServicesContext, 'database' | 'clock'>,
  limit: number,
): Promise<void> {
  const before = instant(clock.now() - KEPT_DAYS * DAY_MS)
  await removeAll(limit, (most) => database.transaction((tx) => deleteOldLogs(tx, before, most)))
}

function readFilter({ type, since }: LogQuery): LogFilter {
  const from = since === undefined ? null : parseInstant(since)
  if (since !== undefined && from === null) {
    throw invalidQuery('/since', 'must be a timestamp such as 2026-05-01T09:30:00Z')
  }
  return { type: type ?? null, since: from }
}
