import type { Instant } from '@sealpost/kernel'
import { type Read, runStatement, type Tx } from '@sealpost/postgres'
import type { Payload, TokenName } from '../model.ts'

export interface TokenRow {
  readonly grant_id: string
  readonly payload: Payload
  readonly is_consumed: boolean
  readonly is_ended: boolean
}

/** By the hash alone: [Note: found by a secret]. */
export async function findToken(read: Read, { kind, sha256 }: TokenName, now: Instant): Promise<TokenRow | null> {
  const [row] = await runStatement<TokenRow>(
    read,
    `select t.grant_id, t.payload, t.consumed_at is not null as is_consumed, g.ended_at is not null as is_ended
    from grants.token t join grants.grant g on g.id = t.grant_id and g.user_id = t.user_id
    where t.kind = $1 and t.sha256 = $2
      and t.expires_at > to_timestamp($3 / 1000.0) and g.expires_at > to_timestamp($3 / 1000.0)`,
    [kind, sha256, now],
  )
  return row ?? null
}

/**
 * The token never outlives its grant. False when the grant has ended. FOR SHARE on the grant: a concurrent end either
 * deletes this token or is seen here.
 */
export async function insertToken(
  tx: Tx,
  { kind, sha256 }: TokenName,
  grantId: string,
  payload: Payload,
  times: { readonly now: Instant; readonly expiresAt: Instant },
): Promise<boolean> {
  const rows = await runStatement(
    tx,
    `insert into grants.token (sha256, kind, grant_id, user_id, payload, expires_at)
    select $1, $2, g.id, g.user_id, $4, least(to_timestamp($5 / 1000.0), g.expires_at)
    from grants.grant g
    where g.id = $3 and g.ended_at is null and g.expires_at > to_timestamp($6 / 1000.0)
    for share of g
    returning sha256`,
    [sha256, kind, grantId, JSON.stringify(payload), times.expiresAt, times.now],
  )
  return rows.length === 1
}

/**
 * True for the first use. To detect a second use, a used code is kept as long as its grant, a used refresh token until
 * it would have expired.
 */
export async function markConsumed(tx: Tx, { kind, sha256 }: TokenName, now: Instant): Promise<boolean> {
  const rows = await runStatement(
    tx,
    `update grants.token t set consumed_at = to_timestamp($3 / 1000.0),
      expires_at = case when t.kind = 'code' then g.expires_at else t.expires_at end
    from grants.grant g
    where t.kind = $1 and t.sha256 = $2 and g.id = t.grant_id and g.user_id = t.user_id and g.ended_at is null
      and t.consumed_at is null and t.expires_at > to_timestamp($3 / 1000.0)
    returning t.sha256`,
    [kind, sha256, now],
  )
  return rows.length === 1
}
