import type { Instant, UserId } from '@sealpost/kernel'
import { type Read, runStatement, type Tx } from '@sealpost/postgres'
import type { Sealed } from '@sealpost/sealing'

export type Payload = Readonly<Record<string, unknown>>

export interface GrantRow {
  readonly id: string
  readonly user_id: UserId
  readonly client_id: string
  readonly used_in: string
  readonly payload: Payload
  readonly shared_key_id: string | null
  readonly shared: Buffer | null
  readonly ended_at: Instant | null
}

export interface NewGrant {
  readonly id: string
  readonly userId: UserId
  readonly clientId: string
  readonly usedIn: string
  readonly payload: Payload
  readonly expiresAt: Instant
}

// [Note: found by a secret] A grant or token is found by what only its client was given, not by its owner: whoever holds
// it is who may ask. Nothing here lists the rows of a user by anything else than the user.

/** Also one that has ended and whose tokens are still being revoked. */
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

export async function insertGrant(tx: Tx, grant: NewGrant): Promise<void> {
  await runStatement(
    tx,
    `insert into grants.grant (id, user_id, client_id, used_in, payload, expires_at)
    values ($1, $2, $3, $4, $5, to_timestamp($6 / 1000.0))`,
    [grant.id, grant.userId, grant.clientId, grant.usedIn, JSON.stringify(grant.payload), grant.expiresAt],
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

/** In the order of their ids, after the given one; locked, so that no two rewrap the same. */
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

/** From here on nothing can be put under the grant. Answers where its tokens are used; null when it is gone. */
export async function markEnded(tx: Tx, id: string, now: Instant): Promise<string | null> {
  const [row] = await runStatement<{ used_in: string }>(
    tx,
    `update grants.grant set ended_at = coalesce(ended_at, to_timestamp($2 / 1000.0)) where id = $1 returning used_in`,
    [id, now],
  )
  return row?.used_in ?? null
}

/** With its codes and refresh tokens. */
export async function deleteEnded(tx: Tx, id: string): Promise<void> {
  await runStatement(tx, 'delete from grants.grant where id = $1 and ended_at is not null', [id])
}

/** All grants of a user, in the transaction that is the reason for it. Answers which; their tokens are still out. */
export async function markAllEnded(tx: Tx, userId: UserId, now: Instant): Promise<readonly string[]> {
  const rows = await runStatement<{ id: string }>(
    tx,
    `update grants.grant set ended_at = coalesce(ended_at, to_timestamp($2 / 1000.0)) where user_id = $1 returning id`,
    [userId, now],
  )
  return rows.map(({ id }) => id)
}

/** Those whose end was cut off half-way. */
export async function listEnded(read: Read, before: Instant, limit: number): Promise<readonly string[]> {
  const rows = await runStatement<{ id: string }>(
    read,
    'select id from grants.grant where ended_at < to_timestamp($1 / 1000.0) order by ended_at limit $2',
    [before, limit],
  )
  return rows.map(({ id }) => id)
}

/** What can be of no use to anybody: access tokens have ended long before. */
export async function deleteExpired(tx: Tx, now: Instant, limit: number): Promise<void> {
  await runStatement(
    tx,
    `delete from grants.grant where id in (
      select id from grants.grant where expires_at < to_timestamp($1 / 1000.0) and ended_at is null limit $2)`,
    [now, limit],
  )
  await runStatement(
    tx,
    `delete from grants.token where sha256 in (
      select sha256 from grants.token where expires_at < to_timestamp($1 / 1000.0) limit $2)`,
    [now, limit],
  )
}
