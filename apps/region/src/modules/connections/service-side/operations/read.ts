import type { ConnectionId, RequestFieldId } from '@sealpost/kernel'
import { type Connection, refuse } from '@sealpost/protocol'
import type { ServiceName } from '../../../services/index.ts'
import type { ServiceSideNeeds } from '../needs.ts'
import { showConnection } from '../record.ts'
import { knownAt, rowsAt } from '../request-rows.ts'
import {
  type FileRow,
  findFileRow,
  type ListedRow,
  listListedRows,
  listRecordRows,
  type Slice,
} from '../store/records.ts'
import { countCustomers } from '../store/regions.ts'

export interface PageOf<Item> {
  readonly total: number
  readonly items: readonly Item[]
  /** The id behind which the next page begins; null on the last. */
  readonly next: ConnectionId | null
}

export async function listRecords(
  { database, rows: cache, clock }: ServiceSideNeeds,
  name: ServiceName,
  slice: Slice,
): Promise<PageOf<Connection>> {
  return database.read(async (read) => {
    // One more than the page holds tells whether more follow.
    const rows = await listRecordRows(read, name.serviceId, { ...slice, limit: slice.limit + 1 })
    const [first] = rows
    if (first === undefined) return { total: await countCustomers(read, name.serviceId), items: [], next: null }
    const known = await rowsAt(read, cache, name, first.rev)
    const now = clock.now()
    const { items, ...page } = cut(rows, slice, first.total)
    return { ...page, items: items.map((row) => showConnection(row, known, now)) }
  })
}

export async function readRecord(
  { database, rows: cache, findRecord, clock }: ServiceSideNeeds,
  name: ServiceName,
  id: ConnectionId,
): Promise<Connection> {
  const row = await findRecord({ serviceId: name.serviceId, id })
  if (row === null) throw refuse('company_data.connection_not_found')
  const known = knownAt(cache, name, row.rev) ?? (await database.read((read) => rowsAt(read, cache, name, row.rev)))
  return showConnection(row, known, clock.now())
}

/** A page of who is connected, without any value. */
export async function listListed(
  { database }: ServiceSideNeeds,
  { serviceId }: ServiceName,
  slice: Slice,
): Promise<PageOf<ListedRow>> {
  return database.read(async (read) => {
    const rows = await listListedRows(read, serviceId, { ...slice, limit: slice.limit + 1 })
    return cut(rows, slice, await countCustomers(read, serviceId))
  })
}

/** Null when the slot holds no file, or its request row is not published any more. */
export async function findFile(
  { database, rows: cache }: ServiceSideNeeds,
  name: ServiceName,
  connectionId: ConnectionId,
  field: RequestFieldId,
): Promise<FileRow | null> {
  return database.read(async (read) => {
    const file = await findFileRow(read, name.serviceId, connectionId, field)
    if (file === null) return null
    const known = await rowsAt(read, cache, name, file.rev)
    return known.byId.has(field) ? file : null
  })
}

function cut<Row extends { readonly id: ConnectionId }>(
  rows: readonly Row[],
  { limit }: Slice,
  total: number,
): PageOf<Row> {
  const items = rows.slice(0, limit)
  return { total, items, next: rows.length > limit ? (items.at(-1)?.id ?? null) : null }
}
