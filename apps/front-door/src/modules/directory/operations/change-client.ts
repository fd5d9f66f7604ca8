import type { RegionCode, Secret, ClientId, UserId } from '@sealpost/kernel'
import type { Tx } from '@sealpost/postgres'
import { type DirectoryClient, refuse } from '@sealpost/protocol'
import type { Platform } from '../../../platform/module.ts'
import { hashSecret } from '../hashing/client-secret.ts'
import {
  insertClient,
  type NewClientRow,
  replaceSecret,
  type StoredSecret,
  type ClientChange,
  updateClient,
  raiseEpoch,
} from '../store/clients.ts'
import { lockHome } from '../store/regions.ts'

/** A secret as a region sends it; the directory stores its keyed hash only. */
export interface GivenSecret {
  readonly id: string
  readonly value: Secret<string>
}

export type NewClient = Omit<NewClientRow, 'secret' | 'createdAt'> & { readonly secret: GivenSecret | null }

/** Adds a client. A repeated ask for the same client replaces its secret: the owner has seen the newest one. */
export async function putClient(
  platform: Pick<Platform, 'settings' | 'clock'>,
  tx: Tx,
  from: RegionCode,
  client: NewClient,
): Promise<DirectoryClient> {
  if ((await lockHome(tx, client.userId)) !== from) throw refuse('services.client_not_found')
  const secret = client.secret === null ? null : toStored(platform, client.secret)
  const row = { ...client, secret, createdAt: platform.clock.now() }
  const stored = (await insertClient(tx, row)) ?? (await replaceSecret(tx, row))
  if (stored === null) throw refuse('services.client_exists')
  return stored
}

function toStored({ settings }: Pick<Platform, 'settings'>, { id, value }: GivenSecret): StoredSecret {
  return { id, ...hashSecret(settings.SECRET_PEPPER, value) }
}

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

/** Ends all tokens that the client has. Only the home region of the owner may ask. */
export async function endTokens(
  tx: Tx,
  from: RegionCode,
  clientId: ClientId,
  userId: UserId,
): Promise<{ epoch: number }> {
  const epoch = await raiseEpoch(tx, from, clientId, userId)
  if (epoch === null) throw refuse('services.client_not_found')
  return { epoch }
}
