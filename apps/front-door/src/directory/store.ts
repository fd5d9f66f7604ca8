import type { ClientId, ClientKind, Instant, RegionCode, ServiceId, UserId } from '@sealpost/kernel'
import { type Read, runStatement, type Tx } from '@sealpost/postgres'
import type { Level } from '@sealpost/protocol'
import type { SecretHash } from '../oauth/secret-hash.ts'

export interface AccountRow {
  readonly user_id: UserId
  readonly user_type: 'person' | 'company'
  readonly region: RegionCode
  readonly level: Level
}

export interface NewClientRow {
  readonly client_id: ClientId
  readonly kind: ClientKind
  readonly user_id: UserId
  readonly service_id: ServiceId | null
  readonly secret_key_id: string
  readonly secret_hash: Uint8Array
  readonly created_at: Instant
}

/** A client with what the account behind it decides: where it lives and at which level. */
export interface ClientRow {
  readonly client_id: ClientId
  readonly kind: ClientKind
  readonly user_id: UserId
  readonly user_type: 'person' | 'company'
  readonly service_id: ServiceId | null
  readonly secret_key_id: string
  readonly secret_hash: Buffer
  readonly epoch: number
  readonly region: RegionCode
  readonly level: Level
}

const FIND_CLIENT = `
  select c.client_id, c.kind, c.user_id, a.user_type, c.service_id, c.secret_key_id, c.secret_hash, c.epoch, a.region, a.level
  from directory.client c join directory.account a using (user_id)
  where c.client_id = $1`

export async function findClient(read: Read, clientId: ClientId): Promise<ClientRow | null> {
  const [row] = await runStatement<ClientRow>(read, FIND_CLIENT, [clientId])
  return row ?? null
}

/** Held until the transaction ends, so that the account cannot move away meanwhile. */
export async function lockHome(tx: Tx, userId: UserId): Promise<RegionCode | null> {
  const sql = 'select region from directory.account where user_id = $1 for share'
  const [row] = await runStatement<{ region: RegionCode }>(tx, sql, [userId])
  return row?.region ?? null
}

/** False when the account exists in another region or as another type; its level follows the latest. */
export async function upsertAccount(tx: Tx, account: AccountRow): Promise<boolean> {
  const rows = await runStatement(
    tx,
    `insert into directory.account as known (user_id, user_type, region, level) values ($1, $2, $3, $4)
    on conflict (user_id) do update set level = excluded.level, rev = known.rev + 1
      where known.region = excluded.region and known.user_type = excluded.user_type
    returning user_id`,
    [account.user_id, account.user_type, account.region, account.level],
  )
  return rows.length === 1
}

/** False when a client of that id, or a data client of that service, exists already. */
export async function insertClient(tx: Tx, client: NewClientRow): Promise<boolean> {
  const rows = await runStatement(
    tx,
    `insert into directory.client (client_id, kind, user_id, service_id, secret_key_id, secret_hash, created_at)
    values ($1, $2, $3, $4, $5, $6, to_timestamp($7 / 1000.0))
    on conflict do nothing returning client_id`,
    [
      client.client_id,
      client.kind,
      client.user_id,
      client.service_id,
      client.secret_key_id,
      client.secret_hash,
      client.created_at,
    ],
  )
  return rows.length === 1
}

/** Gives the very same client a new secret and answers its epoch; null when owner, kind or service are not the same. */
export async function replaceSecret(tx: Tx, client: NewClientRow): Promise<number | null> {
  const [row] = await runStatement<{ epoch: number }>(
    tx,
    `update directory.client set secret_key_id = $5, secret_hash = $6
    where client_id = $1 and kind = $2 and user_id = $3 and service_id is not distinct from $4
    returning epoch`,
    [client.client_id, client.kind, client.user_id, client.service_id, client.secret_key_id, client.secret_hash],
  )
  return row?.epoch ?? null
}

/** The same secret under another key; a secret that was replaced meanwhile stays. */
export async function replaceSecretHash(
  tx: Tx,
  clientId: ClientId,
  old: SecretHash,
  renewed: SecretHash,
): Promise<void> {
  await runStatement(
    tx,
    `update directory.client set secret_key_id = $4, secret_hash = $5
    where client_id = $1 and secret_key_id = $2 and secret_hash = $3`,
    [clientId, old.keyId, old.hash, renewed.keyId, renewed.hash],
  )
}

/** Null when the region is not the home of an account that has this client. */
export async function raiseEpoch(
  tx: Tx,
  region: RegionCode,
  clientId: ClientId,
  userId: UserId,
): Promise<number | null> {
  const [row] = await runStatement<{ epoch: number }>(
    tx,
    `update directory.client c set epoch = c.epoch + 1 from directory.account a
    where c.client_id = $1 and c.user_id = $2 and a.user_id = c.user_id and a.region = $3
    returning c.epoch`,
    [clientId, userId, region],
  )
  return row?.epoch ?? null
}

export async function listRegionsOutOfOrder(read: Read): Promise<readonly RegionCode[]> {
  const rows = await runStatement<{ region: RegionCode }>(
    read,
    'select region from directory.region_switch where out_of_order',
    [],
  )
  return rows.map((row) => row.region)
}
