import type { ListAnswer } from '@sealpost/http'
import type { ConnectionId, RequestFieldId } from '@sealpost/kernel'
import type { Read } from '@sealpost/postgres'
import { type Connection, type PageQueryText, refuse } from '@sealpost/protocol'
import { type Batch, listBatches, listPage, type Page, type Slice } from '../../../../platform/page.ts'
import type { ServiceName } from '../../../services/index.ts'
import type { ServiceSideContext } from '../context.ts'
import type { ConnectionSummary, FileRow, FlowValueRow, KnownRows, RecordRow } from '../model.ts'
import { findConnection } from '../store/connections.ts'
import { listFlowValues } from '../store/flow-values.ts'
import { findFileRow, listRecordRows, listSummaryRows } from '../store/records.ts'
import { countCustomers } from '../store/regions.ts'
import { connectionToWire, summaryToWire } from '../wire.ts'
import { cachedRowsAt, readRowsAt } from './request-rows.ts'

/** A connection has up to 100 values of 16 KB: the rows of a page do not fit into memory together. */
const BATCH_BYTES = 2_000_000

interface ListedRecord {
  readonly row: RecordRow
  readonly known: KnownRows
  readonly flowValues: readonly FlowValueRow[]
}

export function listRecords(
  { database, rows: cache, clock }: ServiceSideContext,
  name: ServiceName,
  query: PageQueryText,
): Promise<ListAnswer<Page<Connection>>> {
  let total: number | null = null
  let rowsAtOnce = Infinity
  const load = async (read: Read, slice: Slice<ConnectionId>): Promise<Batch<ListedRecord, ConnectionId>> => {
    const limit = Math.min(slice.limit, rowsAtOnce)
    const found = await listRecordRows(read, name.serviceId, { ...slice, limit: limit + 1 }, BATCH_BYTES)
    const [first] = found
    total ??= first?.total ?? (await countCustomers(read, name.serviceId))
    if (first === undefined) return { rows: [], next: null }
    const known = await readRowsAt(read, cache, name, first.rev)
    const rows = found.filter(({ fits }) => fits).slice(0, limit)
    // The next statement does not measure many more connections than it can return.
    if (rows.length < found.length) rowsAtOnce = 4 * rows.length
    const ids = rows.filter(({ hasFlowValues }) => hasFlowValues).map(({ id }) => id)
    const flowValues = Map.groupBy(
      ids.length === 0 ? [] : await listFlowValues(read, name.serviceId, ids),
      (value) => value.connectionId,
    )
    return {
      rows: rows.map((row) => ({ row, known, flowValues: flowValues.get(row.id) ?? [] })),
      next: found.length > rows.length ? (rows.at(-1)?.id ?? null) : null,
    }
  }
  const now = clock.now()
  const list = {
    name: 'connections',
    idOf: ({ row }: ListedRecord) => row.id,
    toWire: ({ row, known, flowValues }: ListedRecord): Connection => connectionToWire(row, known, now, flowValues),
  }
  return listBatches(
    list,
    query,
    (slice: Slice<ConnectionId>) => database.read((read) => load(read, slice)),
    async () => total ?? database.read((read) => countCustomers(read, name.serviceId)),
  )
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
  const flowValues = row.hasFlowValues
    ? await database.read((read) => listFlowValues(read, name.serviceId, [row.id]))
    : []
  return connectionToWire(row, known, clock.now(), flowValues)
}

const summaries = { name: 'listed', idOf: ({ id }: ConnectionSummary) => id, toWire: summaryToWire }

export function listSummaries({ database }: ServiceSideContext, { serviceId }: ServiceName, query: PageQueryText) {
  return listPage(
    summaries,
    query,
    (slice: Slice<ConnectionId>) => database.read((read) => listSummaryRows(read, serviceId, slice)),
    () => database.read((read) => countCustomers(read, serviceId)),
  )
}

/** Refuses an unknown connection, and a slot that holds no file or whose request row is no longer published. */
export async function findFile(
  { database, rows: cache }: ServiceSideContext,
  name: ServiceName,
  connectionId: ConnectionId,
  field: RequestFieldId,
): Promise<FileRow> {
  return database.read(async (read) => {
    const file = await findFileRow(read, name.serviceId, connectionId, field)
    if (file === null) {
      const connection = await findConnection(read, name.serviceId, connectionId)
      throw refuse(connection === null ? 'company_data.connection_not_found' : 'company_data.file_not_found')
    }
    const known = await readRowsAt(read, cache, name, file.rev)
    if (!known.byId.has(field)) throw refuse('company_data.file_not_found')
    return file
  })
}
