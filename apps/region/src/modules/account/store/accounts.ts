import type { UserId } from '@sealpost/kernel'
import { type Read, runStatement, type Tx } from '@sealpost/postgres'
import type { Kdf, Level, PasswordWrap } from '@sealpost/protocol'
import type { Account, KeyBundle, KeyWraps, KnownAccount } from '../model.ts'

const ACCOUNT = `id, user_type as "userType", email, email_hash as "emailHash", display_name as "displayName", language,
  level, share_code as "shareCode", public_key as "publicKey", recovery_public_key as "recoveryPublicKey",
  (extract(epoch from created_at) * 1000)::float8 as "createdAt"`

const FIND_ACCOUNT = `select ${ACCOUNT} from account.account where id = $1`
const FIND_BY_EMAIL = `select ${ACCOUNT} from account.account where email_hash = $1`

export async function findAccount(read: Read, id: UserId): Promise<Account | null> {
  const [row] = await runStatement<Account>(read, FIND_ACCOUNT, [id])
  return row ?? null
}

export async function findAccountByEmail(read: Read, emailHash: string): Promise<Account | null> {
  const [row] = await runStatement<Account>(read, FIND_BY_EMAIL, [emailHash])
  return row ?? null
}

/** Idempotent: an account that exists stays as it is. */
export async function insertAccount(tx: Tx, account: KnownAccount): Promise<void> {
  await runStatement(
    tx,
    `insert into account.account (id, user_type, email, email_hash, display_name, language, level, share_code, kdf,
      public_key, encrypted_private_key, recovery_public_key, encrypted_recovery_key, created_at)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, to_timestamp($14 / 1000.0))
    on conflict (id) do nothing`,
    [
      account.id,
      account.userType,
      account.email,
      account.emailHash,
      account.displayName,
      account.language,
      account.level,
      account.shareCode,
      account.kdf,
      account.keys?.publicKey ?? null,
      account.keys?.encryptedPrivateKey ?? null,
      account.recoveryKeys?.publicKey ?? null,
      account.recoveryKeys?.encryptedPrivateKey ?? null,
      account.createdAt,
    ],
  )
}

export interface AccountKeys {
  readonly kdf: Kdf
  readonly kdfRev: number
  readonly publicKey: string | null
  readonly encryptedPrivateKey: PasswordWrap | null
  readonly recoveryPublicKey: string | null
  readonly encryptedRecoveryKey: PasswordWrap | null
}

export async function findAccountKeys(read: Read, id: UserId): Promise<AccountKeys | null> {
  const [row] = await runStatement<AccountKeys>(
    read,
    `select kdf, kdf_rev as "kdfRev", public_key as "publicKey", encrypted_private_key as "encryptedPrivateKey",
      recovery_public_key as "recoveryPublicKey", encrypted_recovery_key as "encryptedRecoveryKey"
    from account.account where id = $1`,
    [id],
  )
  return row ?? null
}

/** Keys never change: false if the account has some. */
export async function storeKeys(tx: Tx, id: UserId, keys: KeyBundle): Promise<boolean> {
  const rows = await runStatement(
    tx,
    `update account.account set public_key = $2, encrypted_private_key = $3
    where id = $1 and public_key is null returning id`,
    [id, keys.publicKey, keys.encryptedPrivateKey],
  )
  return rows.length === 1
}

/** Answers the new revision of the derivation; null when the account is gone. */
export async function replaceKeyWraps(tx: Tx, id: UserId, wraps: KeyWraps): Promise<number | null> {
  const [row] = await runStatement<{ kdfRev: number }>(
    tx,
    `update account.account set kdf = $2, kdf_rev = kdf_rev + 1, encrypted_private_key = $3,
      encrypted_recovery_key = coalesce($4, encrypted_recovery_key)
    where id = $1 returning kdf_rev as "kdfRev"`,
    [id, wraps.kdf, wraps.encryptedPrivateKey, wraps.encryptedRecoveryKey],
  )
  return row?.kdfRev ?? null
}

/** FOR NO KEY UPDATE: does not wait for transactions that hold the account FOR KEY SHARE. */
export async function lockProfile(tx: Tx, id: UserId): Promise<Account | null> {
  const [row] = await runStatement<Account>(tx, `${FIND_ACCOUNT} for no key update`, [id])
  return row ?? null
}

export async function updateProfile(
  tx: Tx,
  id: UserId,
  { displayName, language }: { readonly displayName?: string | undefined; readonly language?: string | undefined },
): Promise<Pick<Account, 'displayName' | 'language'> | null> {
  const [row] = await runStatement<Pick<Account, 'displayName' | 'language'>>(
    tx,
    `update account.account set display_name = coalesce($2, display_name), language = coalesce($3, language)
    where id = $1 returning display_name as "displayName", language`,
    [id, displayName ?? null, language ?? null],
  )
  return row ?? null
}

export async function setAccountLevel(tx: Tx, id: UserId, level: Level): Promise<void> {
  await runStatement(tx, `update account.account set level = $2 where id = $1 and user_type = 'company'`, [id, level])
}

export async function setAccountEmail(tx: Tx, id: UserId, email: string, emailHash: string): Promise<void> {
  await runStatement(tx, 'update account.account set email = $2, email_hash = $3 where id = $1', [id, email, emailHash])
}

/** FOR KEY SHARE: the account cannot be erased until the transaction ends. False when it is gone. */
export async function lockAccountForShare(tx: Tx, id: UserId): Promise<boolean> {
  const rows = await runStatement(tx, 'select 1 from account.account where id = $1 for key share', [id])
  return rows.length === 1
}

/**
 * FOR SHARE: the profile, its name included, stays unchanged until the transaction ends. False when the account is
 * gone.
 */
export async function lockProfileForShare(tx: Tx, id: UserId): Promise<boolean> {
  const rows = await runStatement(tx, 'select 1 from account.account where id = $1 for share', [id])
  return rows.length === 1
}

/** FOR UPDATE before erasure: waits for holders; later readers get null. */
export async function lockAccount(tx: Tx, id: UserId): Promise<void> {
  await runStatement(tx, 'select 1 from account.account where id = $1 for update', [id])
}

/** Deletes the account's rows of this module; the hooks of the others delete theirs. */
export async function eraseRows(tx: Tx, id: UserId): Promise<void> {
  await runStatement(tx, 'delete from account.recovery_copy where company_id = $1', [id])
  await runStatement(tx, 'delete from account.delegate where company_id = $1 or user_id = $1', [id])
  await runStatement(tx, 'delete from account.membership where user_id = $1', [id])
  await runStatement(tx, 'delete from account.delegate_name where company_id = $1 or user_id = $1', [id])
  await runStatement(tx, 'delete from account.audit where company_id = $1', [id])
  await runStatement(tx, 'delete from account.audit_head where company_id = $1', [id])
  await runStatement(tx, 'delete from account.account where id = $1', [id])
}
