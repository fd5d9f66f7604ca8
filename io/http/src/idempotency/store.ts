import { type Instant, instant } from '@sealpost/kernel'
import { columns, type Read, runStatement, type Tx } from '@sealpost/postgres'
import type { StoredAnswer } from './port.ts'
import type { EarlierUse } from './rules.ts'

export interface ClaimRow {
  readonly caller: string
  readonly id: Buffer
  readonly bodyHash: string
  readonly token: string
  readonly leaseUntil: Instant
  readonly expiresAt: Instant
}

/** Claims a free key: a new one, an expired one, or one whose first attempt was abandoned. */
export async function insertClaim(tx: Tx, row: ClaimRow, now: Instant): Promise<boolean> {
  const rows = await runStatement(
    tx,
    `insert into idempotency.claim as held (caller, id, body_hash, token, lease_until, expires_at)
     values ($1, $2, decode($3, 'hex'), $4, $5, $6)
     on conflict (caller, id) do update
       set body_hash = excluded.body_hash, token = excluded.token, lease_until = excluded.lease_until,
           expires_at = excluded.expires_at, status = null, headers = null, body = null
       where held.expires_at <= $7
          or (held.status is null and held.lease_until <= $7 and held.body_hash = excluded.body_hash)
     returning 1`,
    [row.caller, row.id, row.bodyHash, row.token, at(row.leaseUntil), at(row.expiresAt), at(now)],
  )
  return rows.length === 1
}

const CLAIM_COLUMNS = columns<{
  body_hash: string
  lease_until: Date
  expires_at: Date
  status: number | null
  headers: Record<string, string> | null
  body: string | null
}>({
  body_hash: 'text',
  lease_until: 'timestamp',
  expires_at: 'timestamp',
  status: 'integer?',
  headers: 'json?',
  body: 'text?',
})

export async function findClaim(read: Read, caller: string, id: Buffer): Promise<EarlierUse | null> {
  const [row] = await runStatement(
    read,
    `select encode(body_hash, 'hex') as body_hash, lease_until, expires_at, status, headers, body
     from idempotency.claim where caller = $1 and id = $2`,
    [caller, id],
    CLAIM_COLUMNS,
  )
  if (row === undefined) return null
  const { status, headers, body } = row
  return {
    bodyHash: row.body_hash,
    leaseUntil: instant(row.lease_until.getTime()),
    expiresAt: instant(row.expires_at.getTime()),
    answer: status === null ? null : { status, headers: headers ?? {}, body },
  }
}

/** False when another caller took the lease. */
export async function updateAnswer(
  tx: Tx,
  { caller, id, token }: Pick<ClaimRow, 'caller' | 'id' | 'token'>,
  { status, headers, body }: StoredAnswer,
): Promise<boolean> {
  const rows = await runStatement(
    tx,
    `update idempotency.claim set status = $4, headers = $5, body = $6
     where caller = $1 and id = $2 and token = $3 and status is null
     returning 1`,
    [caller, id, token, status, JSON.stringify(headers), body],
  )
  return rows.length === 1
}

export async function deleteClaim(
  tx: Tx,
  { caller, id, token }: Pick<ClaimRow, 'caller' | 'id' | 'token'>,
): Promise<void> {
  const text = 'delete from idempotency.claim where caller = $1 and id = $2 and token = $3 and status is null'
  await runStatement(tx, text, [caller, id, token])
}

/** Returns the number of deleted rows; called in small batches, so that no lock is held for long. */
export async function deleteExpired(tx: Tx, now: Instant, limit: number): Promise<number> {
  const rows = await runStatement(
    tx,
    `delete from idempotency.claim where (caller, id) in (
       select caller, id from idempotency.claim where expires_at <= $1 order by expires_at limit $2
       for update skip locked)
     returning 1`,
    [at(now), limit],
  )
  return rows.length
}

function at(moment: Instant): Date {
  return new Date(moment)
}
