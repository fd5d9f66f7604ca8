import type { ClientId, Clock, Keyring, RegionCode, Secret, UserId } from '@sealpost/kernel'
import type { Tx } from '@sealpost/postgres'
import { type DirectoryClient, refuse } from '@sealpost/protocol'
import { hashSecret } from '../../oauth/secret-hash.ts'
import { lockHome } from '../store.ts'
import {
  type ClientChange,
  deleteClient,
  insertClient,
  type NewClientRow,
  raiseEpoch,
  replaceSecret,
  type StoredSecret,
  updateClient,
} from './store.ts'

export interface ClientNeeds {
  readonly clock: Clock
  readonly pepper: Keyring
}

/** A secret as it comes in; only its keyed hash is kept. */
export interface GivenSecret {
  readonly id: string
  readonly value: Secret<string>
}

export type NewClient = Omit<NewClientRow, 'secret' | 'createdAt'> & { readonly secret: GivenSecret | null }
export type GivenChange = Omit<ClientChange, 'secret'> & { readonly secret?: GivenSecret | undefined }

/** Takes a client in. Asked again for the very same client it takes over the secret: the owner saw the newest one. */
export async function putClient(
  needs: ClientNeeds,
  tx: Tx,
  from: RegionCode,
  client: NewClient,
): Promise<DirectoryClient> {
  if ((await lockHome(tx, client.userId)) !== from) throw refuse('services.client_not_found')
  const secret = client.secret === null ? null : atRest(needs, client.secret)
  const row = { ...client, secret, createdAt: needs.clock.now() }
  const shown = (await insertClient(tx, row)) ?? (await replaceSecret(tx, row))
  if (shown === null) throw refuse('services.client_exists')
  return shown
}

/** One change, in which a new secret and the end of all older tokens are the same act. */
export async function changeClient(
  needs: ClientNeeds,
  tx: Tx,
  from: RegionCode,
  { secret, ...change }: GivenChange,
): Promise<DirectoryClient> {
  const stored = secret === undefined ? change : { ...change, secret: atRest(needs, secret) }
  const shown = await updateClient(tx, from, stored)
  if (shown === null) throw refuse('services.client_not_found')
  return shown
}

/** Whoever asks for what is gone, or was never theirs, has what they want: it is not there. */
export async function removeClient(tx: Tx, from: RegionCode, clientId: ClientId, userId: UserId): Promise<void> {
  await deleteClient(tx, from, clientId, userId)
}

/** Ends all tokens issued so far; only the owner's home may ask. */
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

function atRest({ pepper }: ClientNeeds, { id, value }: GivenSecret): StoredSecret {
  return { id, ...hashSecret(pepper, value) }
}
