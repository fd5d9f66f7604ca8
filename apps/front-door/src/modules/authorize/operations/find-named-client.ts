import { parseClientId } from '@sealpost/kernel'
import type { Platform } from '../../../platform/module.ts'
import { findClient } from '../../directory/index.ts'
import { factsOfRow } from '../../oauth/index.ts'
import type { NamedClient } from '../model.ts'

export async function findNamedClient(
  { database }: Pick<Platform, 'database'>,
  text: string | undefined,
): Promise<NamedClient | null> {
  const clientId = text === undefined ? null : parseClientId(text)
  if (clientId === null) return null
  const row = await database.read((read) => findClient(read, clientId))
  return row === null ? null : { ...factsOfRow(row), name: row.name }
}
