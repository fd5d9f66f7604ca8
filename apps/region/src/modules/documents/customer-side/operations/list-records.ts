import type { ConnectionId, ServiceId, UserId } from '@sealpost/kernel'
import type { Read } from '@sealpost/postgres'
import type { RecordDocument } from '@sealpost/protocol'
import type { CustomerContext } from '../context.ts'
import type { Broadcast, Copy, DocumentId, Readable } from '../model.ts'
import { fitRecords, type RecordCandidates } from '../rules/fit-records.ts'
import { countBroadcasts, findBroadcasts, listNewestBroadcasts } from '../store/broadcasts.ts'
import { countCopies, findCopies, listNewestCopies } from '../store/copies.ts'
import { recordToWire } from '../wire.ts'
import { listRuns } from './read-copies.ts'

const NEWEST = 50

export interface RecordConnection {
  readonly id: ConnectionId
  readonly serviceId: ServiceId
}

export interface RecordDocuments {
  readonly documents: readonly RecordDocument[]
  readonly total: number
}

/**
 * Hook of the connections: what stands in their records. Large content ends the answer before the last connection, but
 * not before the first. It reads this database only: neither the store of files nor another region delays a record.
 */
export async function listRecords(
  context: Pick<CustomerContext, 'hooks'>,
  read: Read,
  accountId: UserId,
  connections: readonly RecordConnection[],
): Promise<ReadonlyMap<ConnectionId, RecordDocuments>> {
  if (connections.length === 0) return new Map()
  const ids = connections.map(({ id }) => id)
  const services = [...new Set(connections.map(({ serviceId }) => serviceId))]
  const fitting = fitRecords(await listCandidates(read, accountId, connections, services), NEWEST)
  const records = await findReadables(read, accountId, services, fitting)
  const runs = await listRuns(
    context,
    read,
    records.flatMap(({ readables }) => readables),
  )
  const own = await countCopies(read, accountId, ids)
  const common = await countBroadcasts(read, services)
  return new Map(
    records.map(({ connection: { id, serviceId }, readables }) => [
      id,
      {
        documents: readables.map((readable) => recordToWire(readable, runs)),
        total: (own.get(id) ?? 0) + (common.get(serviceId) ?? 0),
      },
    ]),
  )
}

type Candidates = RecordCandidates<RecordConnection, DocumentId>

async function listCandidates(
  read: Read,
  accountId: UserId,
  connections: readonly RecordConnection[],
  services: readonly ServiceId[],
): Promise<readonly Candidates[]> {
  const ids = connections.map(({ id }) => id)
  const copies = Map.groupBy(await listNewestCopies(read, accountId, ids, NEWEST), (copy) => copy.connectionId)
  const sent = Map.groupBy(await listNewestBroadcasts(read, services, NEWEST), (broadcast) => broadcast.serviceId)
  return connections.map((connection) => ({
    connection,
    documents: [...(copies.get(connection.id) ?? []), ...(sent.get(connection.serviceId) ?? [])],
  }))
}

interface RecordReadables {
  readonly connection: RecordConnection
  readonly readables: readonly Readable[]
}

async function findReadables(
  read: Read,
  accountId: UserId,
  services: readonly ServiceId[],
  fitting: readonly Candidates[],
): Promise<readonly RecordReadables[]> {
  const ids = fitting.flatMap(({ documents }) => documents.map(({ id }) => id))
  const copies = new Map((await findCopies(read, accountId, ids)).map((copy) => [copy.id, copy]))
  const sent = new Map((await findBroadcasts(read, services, ids)).map((broadcast) => [broadcast.id, broadcast]))
  return fitting.map(({ connection, documents }) => ({
    connection,
    readables: documents.flatMap(({ id }) => toReadable(connection.id, copies.get(id), sent.get(id))),
  }))
}

function toReadable(connectionId: ConnectionId, copy?: Copy, broadcast?: Broadcast): readonly Readable[] {
  if (copy !== undefined) return [{ form: 'copy', copy }]
  return broadcast === undefined ? [] : [{ form: 'broadcast', broadcast, connectionId }]
}
