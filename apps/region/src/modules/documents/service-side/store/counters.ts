import type { ServiceId } from '@sealpost/kernel'
import { type Read, runStatement, type Tx } from '@sealpost/postgres'

/** Locks the counters in the order of their names: last in a transaction, before the events. */
export async function addToCounters(tx: Tx, serviceId: ServiceId, changes: ReadonlyMap<string, number>): Promise<void> {
  const entries = [...changes].filter(([, by]) => by !== 0).toSorted(([one], [other]) => (one < other ? -1 : 1))
  for (const [name, by] of entries) {
    await runStatement(
      tx,
      `insert into documents_service.counter as c (service_id, name, documents) values ($1, $2, $3)
      on conflict (service_id, name) do update set documents = c.documents + excluded.documents`,
      [serviceId, name, by],
    )
  }
}

export async function readCounter(read: Read, serviceId: ServiceId, name: string): Promise<number> {
  const [row] = await runStatement<{ documents: number }>(
    read,
    'select documents::float8 as documents from documents_service.counter where service_id = $1 and name = $2',
    [serviceId, name],
  )
  return row?.documents ?? 0
}

export async function deleteCounters(tx: Tx, serviceId: ServiceId): Promise<void> {
  await runStatement(tx, 'delete from documents_service.counter where service_id = $1', [serviceId])
}
