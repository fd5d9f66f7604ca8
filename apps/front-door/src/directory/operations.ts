import type { ClientId, ClientKind, Clock, Keyring, Secret, ServiceId, UserId } from '@sealpost/kernel'
import type { Tx } from '@sealpost/postgres'
import { refuse } from '@sealpost/protocol'
import { hashSecret } from '../oauth/secret-hash.ts'
import { findClient, insertClient, raiseEpoch } from './store.ts'

export interface DirectoryNeeds {
  readonly clock: Clock
  readonly pepper: Keyring
}

export interface NewClient {
  readonly clientId: ClientId
  readonly kind: ClientKind
  readonly userId: UserId
  readonly serviceId: ServiceId | null
  readonly secret: Secret<string>
}

/** Takes a client in; asked again for the same client of the same owner it answers as the first time. */
export async function putClient(needs: DirectoryNeeds, tx: Tx, client: NewClient): Promise<{ epoch: number }> {
  const { keyId, hash } = hashSecret(needs.pepper, client.secret)
  const isNew = await insertClient(tx, {
    client_id: client.clientId,
    kind: client.kind,
    user_id: client.userId,
    service_id: client.serviceId,
    secret_key_id: keyId,
    secret_hash: hash,
    created_at: needs.clock.now(),
  })
  if (isNew) return { epoch: 1 }
  const known = await findClient(tx, client.clientId)
  if (known === null || known.user_id !== client.userId) throw refuse('services.client_exists')
  return { epoch: known.epoch }
}

/** Ends all tokens issued so far; only the owner's region may ask. */
export async function endTokens(tx: Tx, clientId: ClientId, userId: UserId): Promise<{ epoch: number }> {
  const epoch = await raiseEpoch(tx, clientId, userId)
  if (epoch === null) throw refuse('services.client_not_found')
  return { epoch }
}
