import type { FieldId, Instant, UserId } from '@sealpost/kernel'
import { type Read, runStatement, type Tx } from '@sealpost/postgres'
import type { Verification, VerificationName } from '../model.ts'

const COLUMNS = `account_id as "accountId", field_id as "fieldId", id, provider, field_type as "fieldType", challenge,
  key_id as "keyId", hash, email, text_salt as "textSalt", text_hash as "textHash", tries, (extract(epoch from expires_at) * 1000)::float8 as "expiresAt",
  (extract(epoch from confirmed_at) * 1000)::float8 as "confirmedAt"`

/** Replaces an earlier verification of the field by the same provider. */
export async function putVerification(tx: Tx, begun: Omit<Verification, 'tries' | 'confirmedAt'>): Promise<void> {
  await runStatement(
    tx,
    `insert into vault.verification (account_id, id, field_id, provider, field_type, challenge, key_id, hash, email,
      expires_at, text_salt, text_hash)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, to_timestamp($10 / 1000.0), $11, $12)
    on conflict (account_id, field_id, provider) do update set id = excluded.id, field_type = excluded.field_type,
      challenge = excluded.challenge, key_id = excluded.key_id, hash = excluded.hash, email = excluded.email, tries = 0,
      expires_at = excluded.expires_at, confirmed_at = null, text_salt = excluded.text_salt,
      text_hash = excluded.text_hash`,
    [
      begun.accountId,
      begun.id,
      begun.fieldId,
      begun.provider,
      begun.fieldType,
      begun.challenge,
      begun.keyId,
      begun.hash,
      begun.email,
      begun.expiresAt,
      begun.textSalt,
      begun.textHash,
    ],
  )
}

const FIND = `select ${COLUMNS} from vault.verification where account_id = $1 and field_id = $2 and id = $3`

export async function findVerification(
  read: Read,
  { accountId, fieldId, id }: VerificationName,
): Promise<Verification | null> {
  const [row] = await runStatement<Verification>(read, FIND, [accountId, fieldId, id])
  return row ?? null
}

export async function lockVerification(
  tx: Tx,
  { accountId, fieldId, id }: VerificationName,
): Promise<Verification | null> {
  const [row] = await runStatement<Verification>(tx, `${FIND} for update`, [accountId, fieldId, id])
  return row ?? null
}

export async function countTry(tx: Tx, { accountId, id }: Pick<Verification, 'accountId' | 'id'>): Promise<void> {
  const sql = 'update vault.verification set tries = tries + 1 where account_id = $1 and id = $2'
  await runStatement(tx, sql, [accountId, id])
}

export async function markConfirmed(
  tx: Tx,
  { accountId, id }: Pick<Verification, 'accountId' | 'id'>,
  now: Instant,
): Promise<void> {
  const sql = `update vault.verification set confirmed_at = to_timestamp($3 / 1000.0) where account_id = $1 and id = $2`
  await runStatement(tx, sql, [accountId, id, now])
}

/** Across accounts, for upkeep; answers the number of deleted rows. */
export async function pruneVerifications(tx: Tx, now: Instant, limit: number): Promise<number> {
  const rows = await runStatement(
    tx,
    `delete from vault.verification where (account_id, id) in (select account_id, id from vault.verification
      where expires_at <= to_timestamp($1 / 1000.0) limit $2 for update skip locked) returning id`,
    [now, limit],
  )
  return rows.length
}

export async function deleteVerifications(tx: Tx, accountId: UserId, fieldId: FieldId | null): Promise<void> {
  const sql = 'delete from vault.verification where account_id = $1 and ($2::uuid is null or field_id = $2)'
  await runStatement(tx, sql, [accountId, fieldId])
}
