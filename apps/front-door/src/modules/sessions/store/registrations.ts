import type { Instant, RegionCode } from '@sealpost/kernel'
import { type Read, runStatement, type Tx } from '@sealpost/postgres'

const DELETED_AT_ONCE = 100

/** Records which region mails a code to the address, and deletes a few expired records. */
export async function recordRegistration(
  tx: Tx,
  emailHash: string,
  region: RegionCode,
  now: Instant,
  expiresAt: Instant,
): Promise<void> {
  await runStatement(
    tx,
    `delete from sessions.registration where (email_hash, region) in (select email_hash, region from sessions.registration
      where expires_at < to_timestamp($1 / 1000.0) limit $2 for update skip locked)`,
    [now, DELETED_AT_ONCE],
  )
  await runStatement(
    tx,
    `insert into sessions.registration (email_hash, region, expires_at) values ($1, $2, to_timestamp($3 / 1000.0))
    on conflict (email_hash, region) do update set expires_at = excluded.expires_at`,
    [emailHash, region, expiresAt],
  )
}

export async function listRegistrations(read: Read, emailHash: string, now: Instant): Promise<readonly RegionCode[]> {
  const rows = await runStatement<{ region: RegionCode }>(
    read,
    `select region from sessions.registration where email_hash = $1 and expires_at >= to_timestamp($2 / 1000.0)
    order by expires_at desc`,
    [emailHash, now],
  )
  return rows.map(({ region }) => region)
}
