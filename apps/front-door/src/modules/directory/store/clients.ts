import type { ClientId, ClientKind, Instant, RegionCode, ServiceId, UserId } from '@sealpost/kernel'
import { columns, type Read, runStatement, type Tx } from '@sealpost/postgres'
import type { DirectoryClient, Level } from '@sealpost/protocol'
import type { SecretHash } from '../hashing/client-secret.ts'

export interface StoredSecret extends SecretHash {
  readonly id: string
}

export interface NewClientRow {
  readonly clientId: ClientId
  readonly kind: ClientKind
  readonly userId: UserId
  readonly serviceId: ServiceId | null
  readonly name: string
  readonly purpose: string | null
  readonly capabilities: readonly string[]
  readonly patterns: readonly string[]
  readonly redirectUris: readonly string[]
  readonly isConfidential: boolean
  readonly allowsDetached: boolean
  readonly secret: StoredSecret | null
  readonly createdAt: Instant
}

export interface ClientChange {
  readonly clientId: ClientId
  readonly userId: UserId
  readonly name?: string | undefined
  readonly serviceId?: ServiceId | null | undefined
  readonly capabilities?: readonly string[] | undefined
  readonly patterns?: readonly string[] | undefined
  readonly redirectUris?: readonly string[] | undefined
  readonly allowsDetached?: boolean | undefined
  readonly secret?: StoredSecret | undefined
  /** The newest that the home region has seen: rev and epoch rise above it, also after a restore from a backup. */
  readonly least: { readonly rev: number; readonly epoch: number }
  /** The change is refused when the client has a higher revision. */
  readonly ifRev?: number | undefined
}

/** A client with the home region and level of its owner. */
export interface ClientRow {
  readonly client_id: ClientId
  readonly kind: ClientKind
  readonly user_id: UserId
  readonly user_type: 'person' | 'company'
  readonly service_id: ServiceId | null
  readonly name: string
  readonly redirect_uris: readonly string[]
  readonly is_confidential: boolean
  readonly allows_detached: boolean
  /** Null for a public app, like `secret_hash`. */
  readonly secret_key_id: string | null
  readonly secret_hash: Buffer | null
  readonly epoch: number
  readonly region: RegionCode
  readonly level: Level
  /** Null while the level is the first one. */
  readonly level_changed_at: Instant | null
}

const FIND_CLIENTS = `
  select c.client_id, c.kind, c.user_id, a.user_type, c.service_id, c.name, c.redirect_uris, c.is_confidential,
    c.allows_detached, c.secret_key_id, c.secret_hash, c.epoch, a.region, a.level,
    round(extract(epoch from a.level_changed_at) * 1000)::float8 as level_changed_at
  from directory.client c join directory.account a using (user_id)
  where c.client_id = any($1)`
const CLIENT = columns<ClientRow>({
  client_id: 'text',
  kind: 'text',
  user_id: 'uuid',
  user_type: 'text',
  service_id: 'uuid?',
  name: 'text',
  redirect_uris: 'text[]',
  is_confidential: 'boolean',
  allows_detached: 'boolean',
  secret_key_id: 'text?',
  secret_hash: 'bytes?',
  epoch: 'integer',
  region: 'text',
  level: 'text',
  level_changed_at: 'float?',
})

export function findClients(read: Read, clientIds: readonly ClientId[]): Promise<readonly ClientRow[]> {
  return runStatement(read, FIND_CLIENTS, [clientIds], CLIENT)
}

export async function findClient(read: Read, clientId: ClientId): Promise<ClientRow | null> {
  const [row] = await findClients(read, [clientId])
  return row ?? null
}

/** The columns that the home region copies; no hash among them. */
const COPIED = `c.client_id, c.kind, c.user_id, c.service_id, c.name, c.purpose, c.capabilities, c.patterns,
  c.redirect_uris, c.is_confidential, c.allows_detached, c.epoch, c.rev::float8 as rev, c.secret_id,
  round(extract(epoch from c.created_at) * 1000)::float8 as created_at`
const COPIED_ROW = columns<Required<DirectoryClient>>({
  client_id: 'text',
  kind: 'text',
  user_id: 'uuid',
  service_id: 'uuid?',
  name: 'text',
  purpose: 'text?',
  capabilities: 'text[]',
  patterns: 'text[]',
  redirect_uris: 'text[]',
  is_confidential: 'boolean',
  allows_detached: 'boolean',
  epoch: 'integer',
  rev: 'float',
  secret_id: 'uuid?',
  created_at: 'float',
})

/** Null when a client of that id, or a data client of that service, exists already. */
export async function insertClient(tx: Tx, client: NewClientRow): Promise<DirectoryClient | null> {
  const [row] = await runStatement(
    tx,
    `insert into directory.client as c (client_id, kind, user_id, service_id, name, purpose, capabilities, patterns,
      redirect_uris, is_confidential, allows_detached, secret_id, secret_key_id, secret_hash, created_at)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, to_timestamp($15 / 1000.0))
    on conflict do nothing returning ${COPIED}`,
    [
      client.clientId,
      client.kind,
      client.userId,
      client.serviceId,
      client.name,
      client.purpose,
      client.capabilities,
      client.patterns,
      client.redirectUris,
      client.isConfidential,
      client.allowsDetached,
      ...secretColumns(client.secret),
      client.createdAt,
    ],
    COPIED_ROW,
  )
  return row ?? null
}

/** Replaces the secret of the same client; null when owner, kind, service or confidentiality differ. */
export async function replaceSecret(tx: Tx, client: NewClientRow): Promise<DirectoryClient | null> {
  const [row] = await runStatement(
    tx,
    `update directory.client c set secret_id = $6, secret_key_id = $7, secret_hash = $8, rev = c.rev + 1
    where c.client_id = $1 and c.kind = $2 and c.user_id = $3 and c.service_id is not distinct from $4
      and c.is_confidential = $5
    returning ${COPIED}`,
    [
      client.clientId,
      client.kind,
      client.userId,
      client.serviceId,
      client.isConfidential,
      ...secretColumns(client.secret),
    ],
    COPIED_ROW,
  )
  return row ?? null
}

/** Null when no account of this region has the client, when its revision is past `ifRev`, or when a public app is given a secret. */
export async function updateClient(tx: Tx, region: RegionCode, change: ClientChange): Promise<DirectoryClient | null> {
  const [row] = await runStatement(
    tx,
    `update directory.client c set
      name = coalesce($4, c.name),
      service_id = case when $5::boolean then $6::uuid else c.service_id end,
      capabilities = coalesce($7::text[], c.capabilities),
      patterns = coalesce($8::text[], c.patterns),
      redirect_uris = coalesce($9::text[], c.redirect_uris),
      allows_detached = coalesce($16::boolean, c.allows_detached),
      secret_id = coalesce($10::uuid, c.secret_id),
      secret_key_id = coalesce($11::text, c.secret_key_id),
      secret_hash = coalesce($12::bytea, c.secret_hash),
      epoch = greatest(c.epoch, $13::int) + case when $10::uuid is null then 0 else 1 end,
      rev = greatest(c.rev, $14::bigint) + 1
    from directory.account a
    where c.client_id = $1 and c.user_id = $2 and a.user_id = c.user_id and a.region = $3
      and ($10::uuid is null or c.is_confidential) and ($15::bigint is null or c.rev <= $15)
    returning ${COPIED}`,
    [
      change.clientId,
      change.userId,
      region,
      change.name ?? null,
      change.serviceId !== undefined,
      change.serviceId ?? null,
      change.capabilities ?? null,
      change.patterns ?? null,
      change.redirectUris ?? null,
      ...secretColumns(change.secret ?? null),
      change.least.epoch,
      change.least.rev,
      change.ifRev ?? null,
      change.allowsDetached ?? null,
    ],
    COPIED_ROW,
  )
  return row ?? null
}

export async function deleteClient(tx: Tx, region: RegionCode, clientId: ClientId, userId: UserId): Promise<void> {
  await runStatement(
    tx,
    `delete from directory.client c using directory.account a
    where c.client_id = $1 and c.user_id = $2 and a.user_id = c.user_id and a.region = $3`,
    [clientId, userId, region],
  )
}

export interface ClientFilter {
  readonly clientId?: ClientId | undefined
  readonly serviceId?: ServiceId | undefined
  readonly after?: ClientId | undefined
}

/** The clients of accounts that live in the region, by id; one more than `limit` when there are more. */
export function listClients(
  read: Read,
  region: RegionCode,
  { clientId, serviceId, after }: ClientFilter,
  limit: number,
): Promise<readonly DirectoryClient[]> {
  return runStatement(
    read,
    `select ${COPIED} from directory.client c join directory.account a using (user_id)
    where a.region = $1 and ($2::text is null or c.client_id = $2)
      and ($3::uuid is null or (c.kind = 'svc' and c.service_id = $3)) and ($4::text is null or c.client_id > $4)
    order by c.client_id limit $5`,
    [region, clientId ?? null, serviceId ?? null, after ?? null, limit + 1],
    COPIED_ROW,
  )
}

const EPOCH = columns({ epoch: 'integer' })

/** Null when no account of this region has the client. */
export async function raiseEpoch(
  tx: Tx,
  region: RegionCode,
  clientId: ClientId,
  userId: UserId,
): Promise<number | null> {
  const [row] = await runStatement(
    tx,
    `update directory.client c set epoch = c.epoch + 1, rev = c.rev + 1 from directory.account a
    where c.client_id = $1 and c.user_id = $2 and a.user_id = c.user_id and a.region = $3
    returning c.epoch`,
    [clientId, userId, region],
    EPOCH,
  )
  return row?.epoch ?? null
}

/** Stores the hash of the same secret under another key; changes nothing when the secret was replaced meanwhile. */
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

function secretColumns(secret: StoredSecret | null): readonly [string | null, string | null, Uint8Array | null] {
  return [secret?.id ?? null, secret?.keyId ?? null, secret?.hash ?? null]
}
