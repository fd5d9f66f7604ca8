import type { ClientId } from '@sealpost/kernel'
import type { Database } from '@sealpost/postgres'
import { type ClientRow, findClients } from '../store/clients.ts'

export interface ClientLookUp {
  find(clientId: ClientId): Promise<ClientRow | null>
}

interface Batch {
  readonly clientIds: Set<ClientId>
  requests: number
  readonly rows: PromiseWithResolvers<ReadonlyMap<ClientId, ClientRow>>
}

const BATCH_LIMIT = 128
/** The next batch does not wait longer than this for the one before it, whose connection may be dead. */
const SLOW_READ_MS = 50
/** After a batch of this many requests the next one waits a little to grow: a round trip costs more than a few rows. */
const BUSY_REQUESTS = 4
const BUSY_WAIT_MS = 3

/**
 * Clients are not cached: a regenerated secret must end the old one at once at every front door. Requests that arrive
 * while a read is running wait for it and share the next read, which starts after all of them. A single request is read
 * at once.
 */
export function openClientLookUp(database: Database): ClientLookUp {
  const queue: Batch[] = []
  let isReading = false
  let isBusy = false

  function schedule(): void {
    isReading = queue.length > 0
    if (!isReading) return
    if (isBusy) setTimeout(send, BUSY_WAIT_MS)
    // After this turn of the event loop, so that its requests share one read.
    else setImmediate(send)
  }
  function send(): void {
    const batch = queue.shift()
    if (batch === undefined) return
    isBusy = batch.requests >= BUSY_REQUESTS
    const next = once(schedule)
    const timer = setTimeout(next, SLOW_READ_MS)
    void readRows(database, batch).finally(() => {
      clearTimeout(timer)
      next()
    })
  }
  return {
    async find(clientId) {
      const batch = openBatch(queue)
      batch.clientIds.add(clientId)
      batch.requests += 1
      if (!isReading) schedule()
      return (await batch.rows.promise).get(clientId) ?? null
    },
  }
}

async function readRows(database: Database, { clientIds, rows }: Batch): Promise<void> {
  try {
    const found = await database.read((read) => findClients(read, [...clientIds]))
    rows.resolve(new Map(found.map((row) => [row.client_id, row])))
  } catch (error) {
    rows.reject(error)
  }
}

function openBatch(queue: Batch[]): Batch {
  const last = queue.at(-1)
  if (last !== undefined && last.clientIds.size < BATCH_LIMIT) return last
  const batch: Batch = { clientIds: new Set(), requests: 0, rows: Promise.withResolvers() }
  queue.push(batch)
  return batch
}

function once(run: () => void): () => void {
  let isDone = false
  return () => {
    if (isDone) return
    isDone = true
    run()
  }
}
