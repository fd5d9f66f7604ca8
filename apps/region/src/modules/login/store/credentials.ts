import type { Instant, UserId } from '@sealpost/kernel'
import { type Read, runStatement, type Tx } from '@sealpost/postgres'
import type { Sealed } from '@sealpost/sealing'

export interface Credential {
  readonly userId: UserId
  readonly salt: Uint8Array
  readonly sealed: Sealed
}

interface CredentialRow {
  readonly salt: Buffer
  readonly key_id: string
  readonly sealed: Buffer
}

export async function findCredential(read: Read, userId: UserId): Promise<Credential | null> {
  const sql = 'select salt, key_id, sealed from login.credential where user_id = $1'
  const [row] = await runStatement<CredentialRow>(read, sql, [userId])
  if (row === undefined) return null
  return { userId, salt: row.salt, sealed: { keyId: row.key_id, bytes: row.sealed } }
}

/** FOR UPDATE: unchanged until the transaction ends. */
export async function lockCredential(tx: Tx, userId: UserId): Promise<Credential | null> {
  await runStatement(tx, 'select 1 from login.credential where user_id = $1 for update', [userId])
  return findCredential(tx, userId)
}

export async function putCredential(tx: Tx, { userId, salt, sealed }: Credential, now: Instant): Promise<void> {
  await runStatement(
    tx,
    `insert into login.credential (user_id, salt, key_id, sealed, changed_at)
    values ($1, $2, $3, $4, to_timestamp($5 / 1000.0))
    on conflict (user_id) do update set salt = excluded.salt, key_id = excluded.key_id, sealed = excluded.sealed,
      changed_at = excluded.changed_at`,
    [userId, salt, sealed.keyId, sealed.bytes, now],
  )
}

/** Stores the credential sealed under another key, unless it was replaced meanwhile. */
export async function replaceSeal(tx: Tx, userId: UserId, old: Sealed, fresh: Sealed): Promise<void> {
  await runStatement(
    tx,
    `update login.credential set key_id = $4, sealed = $5 where user_id = $1 and key_id = $2 and sealed = $3`,
    [userId, old.keyId, old.bytes, fresh.keyId, fresh.bytes],
  )
}

export async function removeCredential(tx: Tx, userId: UserId): Promise<void> {
  await runStatement(tx, 'delete from login.credential where user_id = $1', [userId])
}

/** A page of credentials under other keys than the active one, in the order of their owners. */
export async function listCredentialsUnderOtherKeys(
  read: Read,
  activeKeyId: string,
  after: string,
  limit: number,
): Promise<readonly Credential[]> {
  const rows = await runStatement<CredentialRow & { user_id: UserId }>(
    read,
    `select user_id, salt, key_id, sealed from login.credential
    where key_id <> $1 and user_id > $2 order by user_id limit $3`,
    [activeKeyId, after, limit],
  )
  return rows.map((row) => ({
    userId: row.user_id,
    salt: row.salt,
    sealed: { keyId: row.key_id, bytes: row.sealed },
  }))
}

const TABLES = ['credential', 'second_factor', 'device', 'device_challenge', 'mailed_code', 'registration']

/** Part of the erasure of an account. Its revoked sessions stay until every region has revoked them. */
export async function deleteLogin(tx: Tx, userId: UserId): Promise<void> {
  for (const table of TABLES) await runStatement(tx, `delete from login.${table} where user_id = $1`, [userId])
}
