import type { Instant, RegionCode } from '@sealpost/kernel'
import { type Read, runStatement, type Tx } from '@sealpost/postgres'

/** A registration that waits for its code. The region that mailed it has everything else. */
export interface PendingRegistration {
  /** The SHA-256 of the registration token, in hex. */
  readonly tokenHash: string
  readonly emailHash: string
  readonly region: RegionCode
  /** Where the call came from. */
  readonly source: string
}

const DELETED_AT_ONCE = 100

/** Waits for a concurrent registration of the same address, so that both are counted. */
export async function lockAddress(tx: Tx, emailHash: string): Promise<void> {
  await runStatement(tx, 'select pg_advisory_xact_lock(hashtextextended($1, 0))', [`registration:${emailHash}`])
}

/** Those of one address, the oldest first. */
export async function listPending(
  read: Read,
  emailHash: string,
  now: Instant,
): Promise<readonly PendingRegistration[]> {
  return runStatement<PendingRegistration>(
    read,
    `select encode(token_hash, 'hex') as "tokenHash", email_hash as "emailHash", region, source
    from sessions.registration where email_hash = $1 and expires_at >= to_timestamp($2 / 1000.0)
    order by created_at, token_hash`,
    [emailHash, now],
  )
}

export async function insertPending(
  tx: Tx,
  { tokenHash, emailHash, region, source }: PendingRegistration,
  now: Instant,
  expiresAt: Instant,
): Promise<void> {
  await runStatement(
    tx,
    `insert into sessions.registration (token_hash, email_hash, region, source, created_at, expires_at)
    values (decode($1, 'hex'), $2, $3, $4, to_timestamp($5 / 1000.0), to_timestamp($6 / 1000.0))`,
    [tokenHash, emailHash, region, source, now, expiresAt],
  )
}

export async function deletePending(tx: Tx, { tokenHash, emailHash }: PendingRegistration): Promise<void> {
  const sql = `delete from sessions.registration where token_hash = decode($1, 'hex') and email_hash = $2`
  await runStatement(tx, sql, [tokenHash, emailHash])
}

/** A few at a time: each registration deletes more than it adds. */
export async function deleteExpired(tx: Tx, now: Instant): Promise<void> {
  await runStatement(
    tx,
    `delete from sessions.registration where token_hash in (select token_hash from sessions.registration
      where expires_at < to_timestamp($1 / 1000.0) limit $2 for update skip locked)`,
    [now, DELETED_AT_ONCE],
  )
}

/** The region that has the registration; null when it has expired or gave way to others. */
export async function findPendingRegion(
  read: Read,
  { tokenHash, emailHash }: Pick<PendingRegistration, 'tokenHash' | 'emailHash'>,
  now: Instant,
): Promise<RegionCode | null> {
  const [row] = await runStatement<{ region: RegionCode }>(
    read,
    `select region from sessions.registration
    where token_hash = decode($1, 'hex') and email_hash = $2 and expires_at >= to_timestamp($3 / 1000.0)`,
    [tokenHash, emailHash, now],
  )
  return row?.region ?? null
}
