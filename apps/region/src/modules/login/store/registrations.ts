import type { Instant, UserId } from '@sealpost/kernel'
import { type Read, runStatement, type Tx } from '@sealpost/postgres'
import type { Kdf, PasswordWrap } from '@sealpost/protocol'
import type { CodeHash } from '../../mail/index.ts'
import type { Credential } from './credentials.ts'
import type { UserType } from './sessions.ts'

/** The future account; its keys cannot be opened here. */
export interface RegistrationDetails {
  readonly displayName: string
  readonly language: string
  readonly kdf: Kdf
  readonly publicKey: string
  readonly encryptedPrivateKey: PasswordWrap
  readonly recoveryPublicKey: string | null
  readonly encryptedRecoveryKey: PasswordWrap | null
}

/** Only the device that began the registration has the token. */
export interface RegistrationName {
  readonly tokenHash: Uint8Array
  readonly emailHash: string
}

export interface Registration extends RegistrationName {
  readonly userType: UserType
  /** The address belongs to an account: no code is right. */
  readonly isTaken: boolean
  readonly email: string
  readonly details: RegistrationDetails
  readonly credential: Credential
  readonly code: CodeHash
  readonly expiresAt: Instant
}

export interface StoredRegistration extends Registration {
  readonly tries: number
  readonly confirmedAt: Instant | null
  /** Set once the account exists. */
  readonly shareCode: string | null
}

export async function insertRegistration(tx: Tx, registration: Registration): Promise<void> {
  const { credential, code } = registration
  await runStatement(
    tx,
    `insert into login.registration (token_hash, email_hash, user_id, user_type, is_taken, email, details, salt, key_id,
      sealed, code_key_id, code_hash, expires_at)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, to_timestamp($13 / 1000.0))`,
    [
      registration.tokenHash,
      registration.emailHash,
      credential.userId,
      registration.userType,
      registration.isTaken,
      registration.email,
      JSON.stringify(registration.details),
      credential.salt,
      credential.sealed.keyId,
      credential.sealed.bytes,
      code.keyId,
      code.hash,
      registration.expiresAt,
    ],
  )
}

interface RegistrationRow {
  readonly token_hash: Buffer
  readonly email_hash: string
  readonly user_id: UserId
  readonly user_type: UserType
  readonly is_taken: boolean
  readonly email: string
  readonly details: RegistrationDetails
  readonly salt: Buffer
  readonly key_id: string
  readonly sealed: Buffer
  readonly code_key_id: string
  readonly code_hash: Buffer
  readonly tries: number
  readonly expires_at: Instant
  readonly confirmed_at: Instant | null
  readonly share_code: string | null
}

const COLUMNS = `token_hash, email_hash, user_id, user_type, is_taken, email, details, salt, key_id, sealed, code_key_id,
  code_hash, tries, (extract(epoch from expires_at) * 1000)::float8 as expires_at,
  (extract(epoch from confirmed_at) * 1000)::float8 as confirmed_at, share_code`

export async function lockRegistration(
  tx: Tx,
  { tokenHash, emailHash }: RegistrationName,
): Promise<StoredRegistration | null> {
  const sql = `select ${COLUMNS} from login.registration where token_hash = $1 and email_hash = $2 for update`
  const [row] = await runStatement<RegistrationRow>(tx, sql, [tokenHash, emailHash])
  return row === undefined ? null : registrationOf(row)
}

export async function countTry(tx: Tx, { tokenHash }: RegistrationName): Promise<void> {
  await runStatement(tx, 'update login.registration set tries = tries + 1 where token_hash = $1', [tokenHash])
}

export async function markConfirmed(tx: Tx, { tokenHash }: RegistrationName, now: Instant): Promise<void> {
  await runStatement(
    tx,
    `update login.registration set confirmed_at = coalesce(confirmed_at, to_timestamp($2 / 1000.0))
    where token_hash = $1`,
    [tokenHash, now],
  )
}

/** False when a concurrent call has done it, or when the registration is deleted. */
export async function markActivated(
  tx: Tx,
  { tokenHash }: RegistrationName,
  userId: UserId,
  shareCode: string,
): Promise<boolean> {
  const rows = await runStatement(
    tx,
    `update login.registration set share_code = $3
    where token_hash = $1 and user_id = $2 and share_code is null returning user_id`,
    [tokenHash, userId, shareCode],
  )
  return rows.length === 1
}

export async function removeRegistration(tx: Tx, { tokenHash }: RegistrationName, userId: UserId): Promise<boolean> {
  const rows = await runStatement(
    tx,
    'delete from login.registration where token_hash = $1 and user_id = $2 returning user_id',
    [tokenHash, userId],
  )
  return rows.length === 1
}

/** Confirmed but not completed: the directory may know the account already. */
export async function listUnfinishedRegistrations(
  read: Read,
  before: Instant,
  limit: number,
): Promise<readonly StoredRegistration[]> {
  const rows = await runStatement<RegistrationRow>(
    read,
    `select ${COLUMNS} from login.registration
    where confirmed_at < to_timestamp($1 / 1000.0) and share_code is null order by confirmed_at limit $2`,
    [before, limit],
  )
  return rows.map(registrationOf)
}

/** Deletes expired ones; those that are still to be completed stay. */
export async function pruneRegistrations(tx: Tx, now: Instant, limit: number): Promise<number> {
  const rows = await runStatement(
    tx,
    `delete from login.registration where token_hash in (select token_hash from login.registration
      where expires_at < to_timestamp($1 / 1000.0) and (confirmed_at is null or share_code is not null) limit $2)
    returning user_id`,
    [now, limit],
  )
  return rows.length
}

function registrationOf(row: RegistrationRow): StoredRegistration {
  return {
    tokenHash: row.token_hash,
    emailHash: row.email_hash,
    userType: row.user_type,
    isTaken: row.is_taken,
    email: row.email,
    details: row.details,
    credential: { userId: row.user_id, salt: row.salt, sealed: { keyId: row.key_id, bytes: row.sealed } },
    code: { keyId: row.code_key_id, hash: row.code_hash },
    tries: row.tries,
    expiresAt: row.expires_at,
    confirmedAt: row.confirmed_at,
    shareCode: row.share_code,
  }
}
