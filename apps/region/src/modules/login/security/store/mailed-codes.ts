import type { Instant, UserId } from '@sealpost/kernel'
import { type Read, runStatement, type Tx } from '@sealpost/postgres'

export type CodePurpose = 'email' | 'delete' | 'recover'

export interface MailedCode {
  readonly userId: UserId
  readonly purpose: CodePurpose
  readonly keyId: string
  readonly hash: Uint8Array
  readonly tries: number
  /** The address that a code of purpose `email` was mailed to. */
  readonly email: string | null
  readonly expiresAt: Instant
  readonly confirmedAt: Instant | null
  readonly doneAt: Instant | null
}

const COLUMNS = `user_id as "userId", purpose, key_id as "keyId", hash, tries, email,
  (extract(epoch from expires_at) * 1000)::float8 as "expiresAt",
  (extract(epoch from confirmed_at) * 1000)::float8 as "confirmedAt",
  (extract(epoch from done_at) * 1000)::float8 as "doneAt"`

type NewCode = Pick<MailedCode, 'userId' | 'purpose' | 'keyId' | 'hash' | 'email' | 'expiresAt'>

/** Replaces the account's code of this purpose. */
export async function putCode(tx: Tx, code: NewCode): Promise<void> {
  await runStatement(
    tx,
    `insert into login.mailed_code (user_id, purpose, key_id, hash, email, expires_at)
    values ($1, $2, $3, $4, $5, to_timestamp($6 / 1000.0))
    on conflict (user_id, purpose) do update set key_id = excluded.key_id, hash = excluded.hash, tries = 0,
      email = excluded.email, expires_at = excluded.expires_at, confirmed_at = null, done_at = null`,
    [code.userId, code.purpose, code.keyId, code.hash, code.email, code.expiresAt],
  )
}

export async function lockCode(tx: Tx, userId: UserId, purpose: CodePurpose): Promise<MailedCode | null> {
  const sql = `select ${COLUMNS} from login.mailed_code where user_id = $1 and purpose = $2 for update`
  const [row] = await runStatement<MailedCode>(tx, sql, [userId, purpose])
  return row ?? null
}

export async function countTry(tx: Tx, { userId, purpose }: Pick<MailedCode, 'userId' | 'purpose'>): Promise<void> {
  await runStatement(tx, 'update login.mailed_code set tries = tries + 1 where user_id = $1 and purpose = $2', [
    userId,
    purpose,
  ])
}

export async function markConfirmed(
  tx: Tx,
  { userId, purpose }: Pick<MailedCode, 'userId' | 'purpose'>,
  now: Instant,
): Promise<void> {
  await runStatement(
    tx,
    `update login.mailed_code set confirmed_at = coalesce(confirmed_at, to_timestamp($3 / 1000.0))
    where user_id = $1 and purpose = $2`,
    [userId, purpose, now],
  )
}

/** False when a concurrent call has completed it, or when a newer code has replaced it. */
export async function markDone(
  tx: Tx,
  { userId, purpose, hash }: Pick<MailedCode, 'userId' | 'purpose' | 'hash'>,
  now: Instant,
): Promise<boolean> {
  const rows = await runStatement(
    tx,
    `update login.mailed_code set done_at = to_timestamp($4 / 1000.0)
    where user_id = $1 and purpose = $2 and hash = $3 and done_at is null returning purpose`,
    [userId, purpose, hash, now],
  )
  return rows.length === 1
}

/** A newer code stays. */
export async function removeCode(
  tx: Tx,
  { userId, purpose, hash }: Pick<MailedCode, 'userId' | 'purpose' | 'hash'>,
): Promise<void> {
  const sql = 'delete from login.mailed_code where user_id = $1 and purpose = $2 and hash = $3'
  await runStatement(tx, sql, [userId, purpose, hash])
}

/** Confirmed changes that are not complete. */
export async function listUnfinishedCodes(
  read: Read,
  purpose: CodePurpose,
  confirmedBefore: Instant,
  limit: number,
): Promise<readonly MailedCode[]> {
  return runStatement<MailedCode>(
    read,
    `select ${COLUMNS} from login.mailed_code
    where purpose = $1 and confirmed_at < to_timestamp($2 / 1000.0) and done_at is null order by confirmed_at limit $3`,
    [purpose, confirmedBefore, limit],
  )
}

/** Deletes expired codes; those of changes that are still to be completed stay. */
export async function pruneCodes(tx: Tx, endedBefore: Instant, limit: number): Promise<number> {
  const codes = await runStatement(
    tx,
    `delete from login.mailed_code where (user_id, purpose) in (select user_id, purpose from login.mailed_code
      where expires_at < to_timestamp($1 / 1000.0) and (confirmed_at is null or done_at is not null) limit $2)
    returning purpose`,
    [endedBefore, limit],
  )
  const challenges = await runStatement(
    tx,
    `delete from login.device_challenge where (user_id, challenge) in (select user_id, challenge
      from login.device_challenge where expires_at < to_timestamp($1 / 1000.0) limit $2) returning kind`,
    [endedBefore, limit],
  )
  return codes.length + challenges.length
}
