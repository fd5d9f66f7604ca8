import type { RegionCode } from '@sealpost/kernel'
import type { Tx } from '@sealpost/postgres'
import { type DirectoryClient, refuse } from '@sealpost/protocol'
import type { Platform } from '../../../platform/module.ts'
import { type ClientChange, updateClient } from '../store/clients.ts'
import { type GivenSecret, toStored } from './put-client.ts'

export type GivenClientChange = Omit<ClientChange, 'secret'> & { readonly secret?: GivenSecret | undefined }

/** Changes a client in one statement: a new secret ends all older tokens with it. */
export async function changeClient(
  platform: Pick<Platform, 'settings'>,
  tx: Tx,
  from: RegionCode,
  { secret, ...change }: GivenClientChange,
): Promise<DirectoryClient> {
  const toWrite = secret === undefined ? change : { ...change, secret: toStored(platform, secret) }
  const changed = await updateClient(tx, from, toWrite)
  if (changed === null) throw refuse('services.client_not_found')
  return changed
}
