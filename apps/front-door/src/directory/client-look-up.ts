import type { ClientId } from '@sealpost/kernel'
import type { Database } from '@sealpost/postgres'
import { type ClientRow, findClients } from './clients/index.ts'

export interface ClientLookUp {
  find(clientId: ClientId): Promise<ClientRow | null>
}

interface Batch {
  readonly clientIds: Set<ClientId>
  askers: number
  readonly rows: PromiseWithResolvers<ReadonlyMap<ClientId, ClientRow>>
}

const BATCH_LIMIT = 128
/** A read that takes longer keeps nobody else waiting: its connection may be dead. */
const PATIENCE_MS = 50
/** So many at once are a crowd: then a read is worth waiting for a little, since sending it costs more than all it finds. */
const CROWD = 4
const GATHER_MS = 3

/**
 * [Note: one look-up under way] A token is judged by what the directory says after its request has come: a regenerated
 * secret ends the old one at once at every front door, so no client is remembered. What can be shared is the way there:
 * requests that come while a read is under way wait for it and then go together, in a read that starts after all of them.
 * A lone request is sent at once.
 */
export function openClientLookUp(database: Database): ClientLookUp {
  const queue: Batch[] = []
  let isBusy = false
  let isCrowded = false

  function schedule(): void {
    isBusy = queue.length > 0
    if (!isBusy) return
    if (isCrowded) setTimeout(send, GATHER_MS)
    // After this turn of the event loop, so that requests of one turn go together.
    else setImmediate(send)
  }
  function send(): void {
    const batch = queue.shift()
    if (batch === undefined) return
    isCrowded = batch.askers >= CROWD
    const goOn = once(schedule)
    const patience = setTimeout(goOn, PATIENCE_MS)
    void readRows(database, batch).finally(() => {
      clearTimeout(patience)
      goOn()
    })
  }
  return {
    async find(clientId) {
      const batch = openBatch(queue)
      batch.clientIds.add(clientId)
      batch.askers += 1
      if (!isBusy) schedule()
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
  const batch: Batch = { clientIds: new Set(), askers: 0, rows: Promise.withResolvers() }
  queue.push(batch)
  return batch
}

function once(act: () => void): () => void {
  let isDone = false
  return () => {
    if (isDone) return
    isDone = true
    act()
  }
}
