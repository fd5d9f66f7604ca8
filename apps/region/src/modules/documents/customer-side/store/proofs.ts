import type { Instant, UserId } from '@sealpost/kernel'
import { type Read, runStatement, type Tx } from '@sealpost/postgres'
import type { CopyName } from '../model.ts'

export interface SignCode extends CopyName {
  readonly keyId: string
  readonly hash: Uint8Array
  readonly tries: number
  readonly expiresAt: Instant
}

/** Replaces the code of this document. */
export async function putSignCode(tx: Tx, code: Omit<SignCode, 'tries'>): Promise<void> {
  await runStatement(
    tx,
    `insert into documents_customer.sign_code (account_id, document_id, key_id, hash, expires_at)
    values ($1, $2, $3, $4, to_timestamp($5 / 1000.0))
    on conflict (account_id, document_id) do update set key_id = excluded.key_id, hash = excluded.hash, tries = 0,
      expires_at = excluded.expires_at`,
    [code.accountId, code.id, code.keyId, code.hash, code.expiresAt],
  )
}

export async function lockSignCode(tx: Tx, { accountId, id }: CopyName): Promise<SignCode | null> {
  const [row] = await runStatement<SignCode & Record<string, unknown>>(
    tx,
    `select account_id as "accountId", document_id as id, key_id as "keyId", hash, tries,
      (extract(epoch from expires_at) * 1000)::float8 as "expiresAt"
    from documents_customer.sign_code where account_id = $1 and document_id = $2 for update`,
    [accountId, id],
  )
  return row ?? null
}

export async function countCodeTry(tx: Tx, { accountId, id }: CopyName): Promise<void> {
  const sql = 'update documents_customer.sign_code set tries = tries + 1 where account_id = $1 and document_id = $2'
  await runStatement(tx, sql, [accountId, id])
}

export async function deleteOldCodes(tx: Tx, before: Instant, limit: number): Promise<number> {
  const rows = await runStatement(
    tx,
    `delete from documents_customer.sign_code where (account_id, document_id) in (
      select account_id, document_id from documents_customer.sign_code where expires_at <= to_timestamp($1 / 1000.0)
      limit $2 for update skip locked)
    returning 1`,
    [before, limit],
  )
  return rows.length
}

/** Wrong proofs of the account since `since`. */
export async function countFailedProofs(read: Read, accountId: UserId, since: Instant): Promise<number> {
  const [row] = await runStatement<{ tries: number }>(
    read,
    `select tries from documents_customer.failed_proof where account_id = $1 and since > to_timestamp($2 / 1000.0)`,
    [accountId, since],
  )
  return row?.tries ?? 0
}

/** A count that began before `since` starts again. */
export async function addFailedProof(tx: Tx, accountId: UserId, since: Instant, now: Instant): Promise<void> {
  await runStatement(
    tx,
    `insert into documents_customer.failed_proof as f (account_id, tries, since)
    values ($1, 1, to_timestamp($3 / 1000.0))
    on conflict (account_id) do update set
      tries = case when f.since > to_timestamp($2 / 1000.0) then f.tries + 1 else 1 end,
      since = case when f.since > to_timestamp($2 / 1000.0) then f.since else excluded.since end`,
    [accountId, since, now],
  )
}

export async function deleteOldProofs(tx: Tx, before: Instant, limit: number): Promise<number> {
  const rows = await runStatement(
    tx,
    `delete from documents_customer.failed_proof where account_id in (
      select account_id from documents_customer.failed_proof where since <= to_timestamp($1 / 1000.0)
      limit $2 for update skip locked)
    returning 1`,
    [before, limit],
  )
  return rows.length
}

export interface KeptProof extends CopyName {
  readonly keyId: string
  readonly hash: Uint8Array
  /** Null for a code. */
  readonly deviceId: string | null
  readonly givenAt: Instant
}

/** Replaces the proof for this document. */
export async function putKeptProof(tx: Tx, proof: KeptProof): Promise<void> {
  await runStatement(
    tx,
    `insert into documents_customer.kept_proof (account_id, document_id, key_id, hash, device_id, given_at)
    values ($1, $2, $3, $4, $5, to_timestamp($6 / 1000.0))
    on conflict (account_id, document_id) do update set key_id = excluded.key_id, hash = excluded.hash,
      device_id = excluded.device_id, given_at = excluded.given_at`,
    [proof.accountId, proof.id, proof.keyId, proof.hash, proof.deviceId, proof.givenAt],
  )
}

export async function findKeptProof(read: Read, { accountId, id }: CopyName): Promise<KeptProof | null> {
  const [row] = await runStatement<KeptProof & Record<string, unknown>>(
    read,
    `select account_id as "accountId", document_id as id, key_id as "keyId", hash, device_id as "deviceId",
      (extract(epoch from given_at) * 1000)::float8 as "givenAt"
    from documents_customer.kept_proof where account_id = $1 and document_id = $2`,
    [accountId, id],
  )
  return row ?? null
}

export async function deleteKeptProof(tx: Tx, { accountId, id }: CopyName): Promise<void> {
  const sql = 'delete from documents_customer.kept_proof where account_id = $1 and document_id = $2'
  await runStatement(tx, sql, [accountId, id])
}

export async function deleteOldKeptProofs(tx: Tx, before: Instant, limit: number): Promise<number> {
  const rows = await runStatement(
    tx,
    `delete from documents_customer.kept_proof where (account_id, document_id) in (
      select account_id, document_id from documents_customer.kept_proof where given_at <= to_timestamp($1 / 1000.0)
      limit $2 for update skip locked)
    returning 1`,
    [before, limit],
  )
  return rows.length
}

export async function deleteProofsOf(tx: Tx, accountId: UserId): Promise<void> {
  await runStatement(tx, 'delete from documents_customer.sign_code where account_id = $1', [accountId])
  await runStatement(tx, 'delete from documents_customer.kept_proof where account_id = $1', [accountId])
  await runStatement(tx, 'delete from documents_customer.failed_proof where account_id = $1', [accountId])
}
