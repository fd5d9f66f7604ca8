import type { ConnectionId, RequestFieldId } from '@sealpost/kernel'
import { type Connection, type PageQueryText, refuse } from '@sealpost/protocol'
import { listPage, type Page, pageOf, readSlice, type Slice } from '../../../../platform/page.ts'
import type { ServiceName } from '../../../services/index.ts'
import type { ServiceSideContext } from '../context.ts'
import type { ConnectionSummary, FileRow, RecordRow } from '../model.ts'
import { findFileRow, listRecordRows, listSummaryRows } from '../store/records.ts'
import { countCustomers } from '../store/regions.ts'
import { connectionToWire, summaryToWire } from '../wire.ts'
import { cachedRowsAt, readRowsAt } from './request-rows.ts'

export async function listRecords(
  { database, rows: cache, clock }: ServiceSideContext,
  name: ServiceName,
  query: PageQueryText,
): Promise<Page<Connection>> {
  const slice = readSlice<ConnectionId>(query, 'connections')
  return database.read(async (read) => {
    const rows = await listRecordRows(read, name.serviceId, { ...slice, limit: slice.limit + 1 })
    const [first] = rows
    if (first === undefined) return { total: await countCustomers(read, name.serviceId), items: [], next_cursor: null }
    const known = await readRowsAt(read, cache, name, first.rev)
    const now = clock.now()
    const toWire = (row: RecordRow): Connection => connectionToWire(row, known, now)
    return { ...pageOf({ name: 'connections', idOf: ({ id }) => id, toWire }, slice, rows), total: first.total }
  })
}

export async function readRecord(
  { database, rows: cache, findRecord, clock }: ServiceSideContext,
  name: ServiceName,
  id: ConnectionId,
): Promise<Connection> {
  const row = await findRecord({ serviceId: name.serviceId, id })
  if (row === null) throw refuse('company_data.connection_not_found')
  const known =
    cachedRowsAt(cache, name, row.rev) ?? (await database.read((read) => readRowsAt(read, cache, name, row.rev)))
  return connectionToWire(row, known, clock.now())
}

const summaries = { name: 'listed', idOf: ({ id }: ConnectionSummary) => id, toWire: summaryToWire }

export function listSummaries({ database }: ServiceSideContext, { serviceId }: ServiceName, query: PageQueryText) {
  return database.read((read) =>
    listPage(
      summaries,
      query,
      (slice: Slice<ConnectionId>) => listSummaryRows(read, serviceId, slice),
      () => countCustomers(read, serviceId),
    ),
  )
}

/** Null when the slot holds no file, or its request row is no longer published. */
export async function findFile(
  { database, rows: cache }: ServiceSideContext,
  name: ServiceName,
  connectionId: ConnectionId,
  field: RequestFieldId,
): Promise<FileRow | null> {
  return database.read(async (read) => {
    const file = await findFileRow(read, name.serviceId, connectionId, field)
    if (file === null) return null
    const known = await readRowsAt(read, cache, name, file.rev)
    return known.byId.has(field) ? file : null
  })
}
