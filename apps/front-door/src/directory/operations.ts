import type { ClientId, ClientKind, Clock, Keyring, RegionCode, Secret, ServiceId, UserId } from '@sealpost/kernel'
import type { Tx } from '@sealpost/postgres'
import { refuse } from '@sealpost/protocol'
import { hashSecret } from '../oauth/secret-hash.ts'
import {
  type AccountRow,
  insertClient,
  lockHome,
  type NewClientRow,
  raiseEpoch,
  replaceSecret,
  upsertAccount,
} from './store.ts'

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

/** Takes an account in, or its new level. Only its home may ask, and asking again never moves it. */
export async function putAccount(tx: Tx, from: RegionCode, account: AccountRow): Promise<void> {
  const isTaken = account.region === from && (await upsertAccount(tx, account))
  if (!isTaken) throw refuse('request.invalid', { details: [{ path: '/region', message: 'is not the home' }] })
}

/** Takes a client in. Asked again for the very same client it takes over the secret: the owner saw the newest one. */
export async function putClient(
  needs: DirectoryNeeds,
  tx: Tx,
  from: RegionCode,
  client: NewClient,
): Promise<{ epoch: number }> {
  if ((await lockHome(tx, client.userId)) !== from) throw refuse('services.client_not_found')
  const row = rowOf(needs, client)
  if (await insertClient(tx, row)) return { epoch: 1 }
  const epoch = await replaceSecret(tx, row)
  if (epoch === null) throw refuse('services.client_exists')
  return { epoch }
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

function rowOf({ pepper, clock }: DirectoryNeeds, client: NewClient): NewClientRow {
  const { keyId, hash } = hashSecret(pepper, client.secret)
  return {
    client_id: client.clientId,
    kind: client.kind,
    user_id: client.userId,
    service_id: client.serviceId,
    secret_key_id: keyId,
    secret_hash: hash,
    created_at: clock.now(),
  }
}
