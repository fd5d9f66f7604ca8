import type { ClientId } from '@sealpost/kernel'
import type { Client } from './client.ts'
import type { ClientsNeeds } from './needs.ts'
import { listAllClients } from './store/clients.ts'

const AT_ONCE = 100

/** Every client of the region, in any state, in the order of their ids. */
export async function* walkClients({ database }: Pick<ClientsNeeds, 'database'>): AsyncGenerator<Client> {
  let after: ClientId | null = null
  do {
    const page: readonly Client[] = await readAfter(database, after)
    yield* page
    after = page.at(-1)?.clientId ?? null
  } while (after !== null)
}

function readAfter(database: ClientsNeeds['database'], after: ClientId | null): Promise<readonly Client[]> {
  return database.read((read) => listAllClients(read, after, AT_ONCE))
}
