import { type ClientId, createBatch } from '@sealpost/kernel'
import type { Database } from '@sealpost/postgres'
import { systemScheduler } from '@sealpost/process'
import { type ClientRow, findClients } from '../store/clients.ts'

export interface ClientLookUp {
  find(clientId: ClientId): Promise<ClientRow | null>
}

const BATCH_LIMIT = 128
/** The next batch does not wait longer than this for the one before it, whose connection may be dead. */
const SLOW_READ_MS = 50
/** After a batch of this many requests the next one waits a little to grow: a round trip costs more than a few rows. */
const BUSY = { size: 4, waitMs: 3 }

/**
 * Clients are not cached: a regenerated secret must end the old one at once at every front door. Requests that arrive
 * while a read is running wait for it and share the next read, which starts after all of them: see [Note: batches].
 */
export function openClientLookUp(database: Database): ClientLookUp {
  const batch = createBatch<ClientId, ClientRow | null>({
    most: BATCH_LIMIT,
    patienceMs: SLOW_READ_MS,
    crowd: BUSY,
    scheduler: systemScheduler,
    async run(clientIds) {
      const rows = await database.read((read) => findClients(read, [...new Set(clientIds)]))
      const byId = new Map(rows.map((row) => [row.client_id, row]))
      return clientIds.map((clientId) => byId.get(clientId) ?? null)
    },
  })
  return { find: (clientId) => batch.ask(clientId) }
}
