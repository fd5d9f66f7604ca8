import { ApiError, refuse } from '@sealpost/protocol'
import { findClientState, patternsFor } from '../access/index.ts'
import { changeClient, type Changes } from './acts/change.ts'
import type { Client, ClientName } from './client.ts'
import type { ClientsNeeds } from './needs.ts'
import { findClient } from './store/clients.ts'
import { walkClients } from './walk.ts'

/** Somebody who changes a client all the time must not hold the others. */
const TRIES = 5

/** Gives every client the present list of its kind and capabilities; answers how many had an older one. */
export async function backfillPatterns(needs: ClientsNeeds): Promise<number> {
  let changed = 0
  for await (const client of walkClients(needs)) changed += (await backfill(needs, client)) ? 1 : 0
  return changed
}

/** By what the client is at that moment: its owner may be taking a capability away. */
async function backfill(needs: ClientsNeeds, name: ClientName): Promise<boolean> {
  for (let tries = 0; tries < TRIES; tries += 1) {
    const client = await needs.database.read((read) => findClient(read, name))
    const state = await needs.database.read((read) => findClientState(read, name.clientId))
    if (client?.state !== 'live' || state === null) return false
    const { kind, capabilities, rev } = client
    if (isSame(state.patterns, patternsFor(kind, capabilities))) return false
    if (await changeUnlessOvertaken(needs, client, { capabilities, ifRev: rev })) return true
  }
  return false
}

async function changeUnlessOvertaken(needs: ClientsNeeds, client: Client, changes: Changes): Promise<boolean> {
  try {
    await changeClient(needs, client, changes, { notFound })
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
