import type { Instant, UserId } from '@sealpost/kernel'
import { type Read, runStatement, type Tx } from '@sealpost/postgres'

const DELETED_AT_ONCE = 10

/** When the account logged in from there last, unless that was before `since`. */
export async function findKnownSource(
  read: Read,
  userId: UserId,
  source: string,
  since: Instant,
): Promise<Instant | null> {
  const [row] = await runStatement<{ seenAt: Instant }>(
    read,
    `select (extract(epoch from seen_at) * 1000)::float8 as "seenAt" from directory.known_source
    where user_id = $1 and source = $2 and seen_at >= to_timestamp($3 / 1000.0)`,
    [userId, source, since],
  )
  return row?.seenAt ?? null
}

export async function putKnownSource(tx: Tx, userId: UserId, source: string, now: Instant): Promise<void> {
  await runStatement(
    tx,
    `insert into directory.known_source (user_id, source, seen_at) values ($1, $2, to_timestamp($3 / 1000.0))
    on conflict (user_id, source) do update set seen_at = excluded.seen_at`,
    [userId, source, now],
  )
}

/** All but the newest ones. */
export async function forgetOldSources(tx: Tx, userId: UserId, kept: number): Promise<void> {
  await runStatement(
    tx,
    `delete from directory.known_source where user_id = $1 and source in (select source from directory.known_source
      where user_id = $1 order by seen_at desc, source offset $2)`,
    [userId, kept],
  )
}

/** A few at a time, of all accounts: each new source deletes more than it adds. */
export async function deleteExpiredSources(tx: Tx, before: Instant): Promise<void> {
  await runStatement(
    tx,
    `delete from directory.known_source where (user_id, source) in (select user_id, source from directory.known_source
      where seen_at < to_timestamp($1 / 1000.0) limit $2 for update skip locked)`,
    [before, DELETED_AT_ONCE],
  )
}
