import type { ClientId, ClientKind, Instant, RegionCode, ServiceId, UserId } from '@sealpost/kernel'
import { type Read, runStatement, type Tx } from '@sealpost/postgres'
import type { Level } from '@sealpost/protocol'

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

export async function findRegionOfAccount(read: Read, userId: UserId): Promise<RegionCode | null> {
  const rows = await runStatement<{ region: RegionCode }>(
    read,
    'select region from directory.account where user_id = $1',
    [userId],
  )
  return rows[0]?.region ?? null
}

/** The same account put twice is one account; its region and level follow the latest. */
export async function putAccount(tx: Tx, account: AccountRow): Promise<void> {
  await runStatement(
    tx,
    `insert into directory.account (user_id, user_type, region, level) values ($1, $2, $3, $4)
    on conflict (user_id) do update
      set region = excluded.region, level = excluded.level, rev = directory.account.rev + 1`,
    [account.user_id, account.user_type, account.region, account.level],
  )
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

export async function raiseEpoch(tx: Tx, clientId: ClientId, userId: UserId): Promise<number | null> {
  const rows = await runStatement<{ epoch: number }>(
    tx,
    'update directory.client set epoch = epoch + 1 where client_id = $1 and user_id = $2 returning epoch',
    [clientId, userId],
  )
  return rows[0]?.epoch ?? null
}

export async function listRegionsOutOfOrder(read: Read): Promise<readonly RegionCode[]> {
  const rows = await runStatement<{ region: RegionCode }>(
    read,
    'select region from directory.region_switch where out_of_order',
    [],
  )
  return rows.map((row) => row.region)
}
