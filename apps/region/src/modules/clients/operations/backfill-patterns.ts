import { ApiError, refuse } from '@sealpost/protocol'
import { findClientState, patternsFor } from '../../access/index.ts'
import type { ClientsContext } from '../context.ts'
import type { Client, ClientName } from '../model.ts'
import { type Changes, changeClient } from '../pending-changes/index.ts'
import { findClient, iterateClients } from '../store/clients.ts'

/** A client that its owner changes all the time is left out, so that the others get their turn. */
const ATTEMPTS = 5

/** Gives every client the present patterns of its kind and capabilities; answers how many had older ones. */
export async function backfillPatterns(clients: ClientsContext): Promise<number> {
  let changed = 0
  for await (const client of iterateClients(clients.database)) changed += (await backfill(clients, client)) ? 1 : 0
  return changed
}

/** Computed from the client's present capabilities: its owner may take one away at the same time. */
async function backfill(clients: ClientsContext, name: ClientName): Promise<boolean> {
  const { database } = clients
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const client = await database.read((read) => findClient(read, name))
    const state = await database.read((read) => findClientState(read, name.clientId))
    if (client?.state !== 'live' || state === null) return false
    const { kind, capabilities, rev } = client
    if (isSame(state.patterns, patternsFor(kind, capabilities))) return false
    if (await changeIfUnchanged(clients, client, { capabilities, ifRev: rev })) return true
  }
  return false
}

/** False when the client was changed or deleted since it was read. */
async function changeIfUnchanged(clients: ClientsContext, client: Client, changes: Changes): Promise<boolean> {
  try {
    await changeClient(clients, client, changes, { notFound })
    return true
  } catch (error) {
    if (error instanceof ApiError && error.key === notFound().key) return false
    throw error
  }
}

const notFound = () => refuse('services.client_not_found')

function isSame(left: readonly string[], right: readonly string[]): boolean {
  return left.length === right.length && left.every((pattern, place) => pattern === right[place])
}
