import type { Instant, UserId } from '@sealpost/kernel'
import { type Read, runStatement, type Tx } from '@sealpost/postgres'

export interface NewBrowser {
  readonly userId: UserId
  readonly id: string
  readonly name: string
  readonly tokenHash: Uint8Array
  readonly now: Instant
  readonly expiresAt: Instant
}

export async function insertBrowser(tx: Tx, browser: NewBrowser): Promise<void> {
  await runStatement(
    tx,
    `insert into login.device (user_id, id, kind, name, token_hash, created_at, seen_at, expires_at)
    values ($1, $2, 'browser', $3, $4, to_timestamp($5 / 1000.0), to_timestamp($5 / 1000.0), to_timestamp($6 / 1000.0))`,
    [browser.userId, browser.id, browser.name, browser.tokenHash, browser.now, browser.expiresAt],
  )
}

/** The account's trusted browser that has one of these tokens. */
export async function findBrowser(
  read: Read,
  userId: UserId,
  tokenHashes: readonly Uint8Array[],
  now: Instant,
): Promise<string | null> {
  const [row] = await runStatement<{ id: string }>(
    read,
    `select id from login.device where user_id = $1 and kind = 'browser' and token_hash = any ($2)
      and expires_at > to_timestamp($3 / 1000.0) limit 1`,
    [userId, tokenHashes, now],
  )
  return row?.id ?? null
}

/** Locks the row, so that a concurrent removal also ends the session that is about to name it. */
export async function touchBrowser(tx: Tx, userId: UserId, id: string, now: Instant): Promise<boolean> {
  const rows = await runStatement(
    tx,
    `update login.device set seen_at = to_timestamp($3 / 1000.0) where user_id = $1 and id = $2 returning id`,
    [userId, id, now],
  )
  return rows.length === 1
}

/**
 * Null when the account has no such device with a key. FOR SHARE: a concurrent removal waits, and also ends the session that
 * is about to name it.
 */
export async function lockSigningDevice(tx: Tx, userId: UserId, id: string | null): Promise<string | null> {
  if (id === null) return null
  const rows = await runStatement(
    tx,
    `select id from login.device where user_id = $1 and id = $2 and kind <> 'browser' for share`,
    [userId, id],
  )
  return rows.length === 1 ? id : null
}

/** The least recently seen ones; their logins need a code again. */
export async function forgetOldBrowsers(tx: Tx, userId: UserId, kept: number): Promise<void> {
  await runStatement(
    tx,
    `delete from login.device where user_id = $1 and id in (select id from login.device
      where user_id = $1 and kind = 'browser' order by seen_at desc, id desc offset $2)`,
    [userId, kept],
  )
}

/** Answers how many were deleted. */
export async function pruneBrowsers(tx: Tx, expiredBefore: Instant, limit: number): Promise<number> {
  const rows = await runStatement(
    tx,
    `delete from login.device where (user_id, id) in (select user_id, id from login.device
      where expires_at < to_timestamp($1 / 1000.0) limit $2) returning id`,
    [expiredBefore, limit],
  )
  return rows.length
}
