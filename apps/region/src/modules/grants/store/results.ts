import type { Instant } from '@sealpost/kernel'
import { type Read, runStatement, type Tx } from '@sealpost/postgres'
import type { DetachedOutcome } from '@sealpost/protocol'
import type { ResultName } from '../model.ts'

export interface ResultRow {
  /** Null after delivery. */
  readonly outcome: DetachedOutcome | null
  readonly lapses_at: number
}

/** False when the state was used before. */
export async function insertResult(
  tx: Tx,
  name: ResultName,
  outcome: DetachedOutcome,
  times: { readonly lapsesAt: Instant; readonly forgottenAt: Instant },
): Promise<boolean> {
  const rows = await runStatement(
    tx,
    `insert into grants.result (company_id, client_id, state_sha256, outcome, lapses_at, forgotten_at)
    values ($1, $2, $3, $4, to_timestamp($5 / 1000.0), to_timestamp($6 / 1000.0))
    on conflict do nothing returning client_id`,
    [name.companyId, name.clientId, name.stateSha256, JSON.stringify(outcome), times.lapsesAt, times.forgottenAt],
  )
  return rows.length === 1
}

export async function findResult(read: Read, name: ResultName): Promise<ResultRow | null> {
  const [row] = await runStatement<ResultRow>(
    read,
    `select outcome, extract(epoch from lapses_at)::float8 * 1000 as lapses_at from grants.result
    where company_id = $1 and client_id = $2 and state_sha256 = $3`,
    [name.companyId, name.clientId, name.stateSha256],
  )
  return row ?? null
}

/** True for the one call that may deliver it; the outcome is deleted. */
export async function takeResult(tx: Tx, name: ResultName, now: Instant): Promise<boolean> {
  const rows = await runStatement(
    tx,
    `update grants.result set outcome = null, taken_at = to_timestamp($4 / 1000.0)
    where company_id = $1 and client_id = $2 and state_sha256 = $3
      and outcome is not null and lapses_at > to_timestamp($4 / 1000.0)
    returning client_id`,
    [name.companyId, name.clientId, name.stateSha256, now],
  )
  return rows.length === 1
}

export async function deleteForgotten(tx: Tx, now: Instant, limit: number): Promise<number> {
  const rows = await runStatement(
    tx,
    `delete from grants.result where (company_id, client_id, state_sha256) in (
      select company_id, client_id, state_sha256 from grants.result where forgotten_at < to_timestamp($1 / 1000.0)
      limit $2 for update skip locked)
    returning 1`,
    [now, limit],
  )
  return rows.length
}
