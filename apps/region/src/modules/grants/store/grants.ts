import type { Instant, UserId } from '@sealpost/kernel'
import { type Read, runStatement, type Tx } from '@sealpost/postgres'
import type { Sealed } from '@sealpost/sealing'
import type { GrantRow, NewGrant } from '../model.ts'

/**
 * Also finds a grant that has ended while its tokens are being revoked.
 *
 * [Note: found by a secret] A grant or token is found by a value that only its client was given, without its owner: the
 * holder of the value may use it. Every other statement names the user.
 */
export async function findGrant(read: Read, id: string, now: Instant): Promise<GrantRow | null> {
  const [row] = await runStatement<GrantRow>(
    read,
    `select id, user_id, client_id, used_in, payload, shared_key_id, shared,
      extract(epoch from ended_at)::float8 * 1000 as ended_at
    from grants.grant where id = $1 and expires_at > to_timestamp($2 / 1000.0)`,
    [id, now],
  )
  return row ?? null
}

export async function insertGrant(tx: Tx, grant: NewGrant, expiresAt: Instant): Promise<void> {
  await runStatement(
    tx,
    `insert into grants.grant (id, user_id, client_id, used_in, payload, expires_at)
    values ($1, $2, $3, $4, $5, to_timestamp($6 / 1000.0))`,
    [grant.id, grant.userId, grant.clientId, grant.usedIn, JSON.stringify(grant.payload), expiresAt],
  )
}

export async function setShared(tx: Tx, userId: UserId, id: string, { keyId, bytes }: Sealed): Promise<void> {
  await runStatement(
    tx,
    'update grants.grant set shared_key_id = $3, shared = $4 where user_id = $1 and id = $2 and ended_at is null',
    [userId, id, keyId, bytes],
  )
}

export interface SharedRow {
  readonly id: string
  readonly userId: UserId
  readonly sealed: Sealed
}

/** In the order of their ids, after the given one. FOR UPDATE: a concurrent rewrap waits. */
export async function listSharedUnderOtherKeys(
  tx: Tx,
  activeKeyId: string,
  after: string,
  limit: number,
): Promise<readonly SharedRow[]> {
  const rows = await runStatement<{ id: string; user_id: UserId; shared_key_id: string; shared: Buffer }>(
    tx,
    `select id, user_id, shared_key_id, shared from grants.grant
    where shared_key_id <> $1 and id > $2 order by id limit $3 for update`,
    [activeKeyId, after, limit],
  )
  return rows.map((row) => ({
    id: row.id,
    userId: row.user_id,
    sealed: { keyId: row.shared_key_id, bytes: row.shared },
  }))
}

export async function replaceShared(tx: Tx, userId: UserId, id: string, { keyId, bytes }: Sealed): Promise<void> {
  await runStatement(tx, 'update grants.grant set shared_key_id = $3, shared = $4 where user_id = $1 and id = $2', [
    userId,
    id,
    keyId,
    bytes,
  ])
}

/** No token can be put under an ended grant. Answers the region where its tokens are used; null when it is deleted. */
export async function markEnded(tx: Tx, id: string, now: Instant): Promise<string | null> {
  const [row] = await runStatement<{ used_in: string }>(
    tx,
    `update grants.grant set ended_at = coalesce(ended_at, to_timestamp($2 / 1000.0)) where id = $1 returning used_in`,
    [id, now],
  )
  return row?.used_in ?? null
}

/** Its codes and refresh tokens are deleted with it. */
export async function deleteEnded(tx: Tx, id: string): Promise<void> {
  await runStatement(tx, 'delete from grants.grant where id = $1 and ended_at is not null', [id])
}

/** All grants of a user. Answers their ids: the access tokens are still to be revoked. */
export async function markAllEnded(tx: Tx, userId: UserId, now: Instant): Promise<readonly string[]> {
  const rows = await runStatement<{ id: string }>(
    tx,
    `update grants.grant set ended_at = coalesce(ended_at, to_timestamp($2 / 1000.0)) where user_id = $1 returning id`,
    [userId, now],
  )
  return rows.map(({ id }) => id)
}

/** Grants whose end is not complete. */
export async function listEnded(read: Read, before: Instant, limit: number): Promise<readonly string[]> {
  const rows = await runStatement<{ id: string }>(
    read,
    'select id from grants.grant where ended_at < to_timestamp($1 / 1000.0) order by ended_at limit $2',
    [before, limit],
  )
  return rows.map(({ id }) => id)
}

/** Access tokens of an expired grant have expired long before. Answers how many, as the other deletions do. */
export async function deleteExpiredGrants(tx: Tx, now: Instant, limit: number): Promise<number> {
  const rows = await runStatement(
    tx,
    `delete from grants.grant where id in (
      select id from grants.grant where expires_at < to_timestamp($1 / 1000.0) and ended_at is null
      limit $2 for update skip locked)
    returning id`,
    [now, limit],
  )
  return rows.length
}

export async function deleteExpiredTokens(tx: Tx, now: Instant, limit: number): Promise<number> {
  const rows = await runStatement(
    tx,
    `delete from grants.token where sha256 in (
      select sha256 from grants.token where expires_at < to_timestamp($1 / 1000.0) limit $2 for update skip locked)
    returning 1`,
    [now, limit],
  )
  return rows.length
}
