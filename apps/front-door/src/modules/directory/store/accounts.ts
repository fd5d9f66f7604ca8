import type { Instant, RegionCode, UserId } from '@sealpost/kernel'
import { columns, type Read, runStatement, type Tx } from '@sealpost/postgres'
import type { Kdf, Level } from '@sealpost/protocol'

export interface AccountRow {
  readonly userId: UserId
  readonly userType: 'person' | 'company'
  readonly region: RegionCode
  readonly level: Level
  readonly emailHash: string
  readonly kdf: Kdf
  readonly publicKey: string | null
  readonly shareCode: string
}

const ACCOUNT = `user_id as "userId", user_type as "userType", region, level, email_hash as "emailHash", kdf,
  public_key as "publicKey", share_code as "shareCode"`
const ACCOUNT_ROW = columns<AccountRow>({
  userId: 'uuid',
  userType: 'text',
  region: 'text',
  level: 'text',
  emailHash: 'text',
  kdf: 'json',
  publicKey: 'text?',
  shareCode: 'text',
})

export async function findAccountByEmail(read: Read, emailHash: string): Promise<AccountRow | null> {
  const sql = `select ${ACCOUNT} from directory.account where email_hash = $1 and deleted_at is null`
  const [row] = await runStatement(read, sql, [emailHash], ACCOUNT_ROW)
  return row ?? null
}

/** The parameters of the next account in the order of e-mail hashes, which is a ring; null while there is none. */
export async function findKdfAfter(read: Read, point: string): Promise<Kdf | null> {
  const [row] = await runStatement<{ kdf: Kdf }>(
    read,
    `select kdf from (
      (select kdf, 0 as turn from directory.account where email_hash >= $1 order by email_hash limit 1)
      union all
      (select kdf, 1 as turn from directory.account where email_hash < $1 order by email_hash limit 1)
    ) next order by turn limit 1`,
    [point],
  )
  return row?.kdf ?? null
}

export async function findAccountByShareCode(read: Read, shareCode: string): Promise<AccountRow | null> {
  const sql = `select ${ACCOUNT} from directory.account where share_code = $1 and deleted_at is null`
  const [row] = await runStatement(read, sql, [shareCode], ACCOUNT_ROW)
  return row ?? null
}

export async function findDirectoryAccount(read: Read, userId: UserId): Promise<AccountRow | null> {
  const sql = `select ${ACCOUNT} from directory.account where user_id = $1 and deleted_at is null`
  const [row] = await runStatement(read, sql, [userId], ACCOUNT_ROW)
  return row ?? null
}

/** Waits for a concurrent transaction that gives the address to an account. */
export async function lockEmail(tx: Tx, emailHash: string): Promise<void> {
  await runStatement(tx, 'select pg_advisory_xact_lock(hashtextextended($1, 0))', [emailHash])
}

/** False when another account has or had the code, or when the account exists. */
export async function insertAccount(tx: Tx, account: AccountRow): Promise<boolean> {
  const rows = await runStatement(
    tx,
    `insert into directory.account (user_id, user_type, region, level, email_hash, kdf, public_key, share_code)
    values ($1, $2, $3, $4, $5, $6, $7, $8) on conflict do nothing returning user_id`,
    [
      account.userId,
      account.userType,
      account.region,
      account.level,
      account.emailHash,
      account.kdf,
      account.publicKey,
      account.shareCode,
    ],
  )
  return rows.length === 1
}

export interface AccountChange {
  readonly level?: Level | undefined
  readonly emailHash?: string | undefined
  readonly publicKey?: string | undefined
}

/** False when the account does not live in that region. Members that are not given stay as they are. */
export async function updateAccount(
  tx: Tx,
  home: { readonly userId: UserId; readonly region: RegionCode },
  change: AccountChange,
  now: Instant,
): Promise<boolean> {
  const rows = await runStatement(
    tx,
    `update directory.account set
      level_changed_at = case when $3::text is null or $3 = level then level_changed_at else to_timestamp($6 / 1000.0) end,
      level = coalesce($3, level), email_hash = coalesce($4, email_hash), public_key = coalesce($5, public_key)
    where user_id = $1 and region = $2 and deleted_at is null returning user_id`,
    [home.userId, home.region, change.level ?? null, change.emailHash ?? null, change.publicKey ?? null, now],
  )
  return rows.length === 1
}

/** Ignores a revision that is not newer than the stored one. */
export async function replaceKdf(
  tx: Tx,
  home: { readonly userId: UserId; readonly region: RegionCode },
  kdf: Kdf,
  rev: number,
): Promise<void> {
  await runStatement(
    tx,
    `update directory.account set kdf = $3, rev = $4
    where user_id = $1 and region = $2 and rev < $4 and deleted_at is null`,
    [home.userId, home.region, kdf, rev],
  )
}

/** Keeps the row without personal data, so that its id and code are never given to another account. */
export async function retireAccount(
  tx: Tx,
  home: { readonly userId: UserId; readonly region: RegionCode },
  now: Instant,
): Promise<void> {
  const { userId, region } = home
  await runStatement(
    tx,
    `delete from directory.client c using directory.account a
    where c.user_id = $1 and a.user_id = c.user_id and a.region = $2`,
    [userId, region],
  )
  await runStatement(
    tx,
    `delete from directory.known_source s using directory.account a
    where s.user_id = $1 and a.user_id = s.user_id and a.region = $2`,
    [userId, region],
  )
  await runStatement(
    tx,
    `update directory.account set deleted_at = to_timestamp($3 / 1000.0), email_hash = null, kdf = null, public_key = null
    where user_id = $1 and region = $2 and deleted_at is null`,
    [userId, region, now],
  )
}
