import { parseClientId } from '@sealpost/kernel'
import type { Database } from '@sealpost/postgres'
import { findClient } from '../directory/index.ts'
import { type ClientFacts, factsOfRow } from '../oauth/client-adapter.ts'

export interface NamedClient extends ClientFacts {
  readonly name: string
}

export async function findNamedClient(database: Database, text: string | undefined): Promise<NamedClient | null> {
  const clientId = text === undefined ? null : parseClientId(text)
  if (clientId === null) return null
  const row = await database.read((read) => findClient(read, clientId))
  return row === null ? null : { ...factsOfRow(row), name: row.name }
}
