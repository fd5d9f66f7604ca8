import type { Instant, RegionCode, UserId } from '@sealpost/kernel'
import { type Read, runStatement, type Tx } from '@sealpost/postgres'

export type UserType = 'person' | 'company'

export interface Family {
  readonly id: string
  readonly userId: UserId
  readonly userType: UserType
  readonly deviceId: string | null
  readonly expiresAt: Instant
  readonly endsAt: Instant
  /** Regions of companies for which tokens were issued: a revocation must reach them, too. */
  readonly actingRegions: readonly RegionCode[]
  readonly revokedAt: Instant | null
}

export interface SessionToken {
  readonly hash: Uint8Array
  readonly replacedAt: Instant | null
  readonly successorKeyId: string | null
}

export interface FoundToken {
  readonly family: Family
  readonly token: SessionToken
}

const FAMILY = `f.id, f.user_id as "userId", f.user_type as "userType", f.device_id as "deviceId",
  (extract(epoch from f.expires_at) * 1000)::float8 as "expiresAt", (extract(epoch from f.ends_at) * 1000)::float8 as "endsAt",
  f.acting_regions as "actingRegions", (extract(epoch from f.revoked_at) * 1000)::float8 as "revokedAt"`

const FIND_TOKEN = `
  select ${FAMILY}, t.hash, (extract(epoch from t.replaced_at) * 1000)::float8 as "replacedAt",
    t.successor_key_id as "successorKeyId"
  from login.session_token t join login.session_family f on f.user_id = t.user_id and f.id = t.family_id
  where t.hash = $1`

type TokenRow = Family & SessionToken

/** By the token alone: only its holder can name the family. */
export async function findToken(read: Read, hash: Uint8Array): Promise<FoundToken | null> {
  const [row] = await runStatement<TokenRow>(read, FIND_TOKEN, [hash])
  return row === undefined ? null : foundToken(row)
}

/** FOR UPDATE: the family cannot be rotated, revoked or extended until the transaction ends. */
export async function lockToken(tx: Tx, hash: Uint8Array): Promise<FoundToken | null> {
  // Two statements: after waiting for the lock, the row and the joined row must be read again.
  const [known] = await runStatement<{ user_id: UserId; family_id: string }>(
    tx,
    'select user_id, family_id from login.session_token where hash = $1',
    [hash],
  )
  if (known === undefined) return null
  await runStatement(tx, 'select 1 from login.session_family where user_id = $1 and id = $2 for update', [
    known.user_id,
    known.family_id,
  ])
  return findToken(tx, hash)
}

export interface NewFamily extends Omit<Family, 'revokedAt' | 'actingRegions'> {
  readonly createdAt: Instant
  readonly hasSecondFactor: boolean
  readonly signingDeviceId: string | null
  readonly userAgent: string
  /** Shortened; null from a front door that does not send it. */
  readonly address: string | null
}

export async function insertFamily(tx: Tx, family: NewFamily): Promise<void> {
  await runStatement(
    tx,
    `insert into login.session_family (user_id, id, user_type, device_id, created_at, expires_at, ends_at,
      has_second_factor, signing_device_ids, user_agent, address, last_used_at)
    values ($1, $2, $3, $4, to_timestamp($5 / 1000.0), to_timestamp($6 / 1000.0), to_timestamp($7 / 1000.0), $8,
      array_remove(array[$9::uuid], null), $10, $11, to_timestamp($5 / 1000.0))`,
    [
      family.userId,
      family.id,
      family.userType,
      family.deviceId,
      family.createdAt,
      family.expiresAt,
      family.endsAt,
      family.hasSecondFactor,
      family.signingDeviceId,
      family.userAgent,
      family.address,
    ],
  )
}

/** From now on the session ends with the device. */
export async function bindSessionToDevice(tx: Tx, userId: UserId, sessionId: string, deviceId: string): Promise<void> {
  await runStatement(
    tx,
    `update login.session_family set signing_device_ids = array_append(signing_device_ids, $3::uuid)
    where user_id = $1 and id = $2`,
    [userId, sessionId, deviceId],
  )
}

/** Whether the login of this session was confirmed by a one-time code. */
export async function isSessionConfirmed(read: Read, userId: UserId, sessionId: string): Promise<boolean> {
  const sql = 'select 1 from login.session_family where user_id = $1 and id = $2 and has_second_factor'
  return (await runStatement(read, sql, [userId, sessionId])).length === 1
}

export async function insertToken(
  tx: Tx,
  { userId, id }: Pick<Family, 'userId' | 'id'>,
  hash: Uint8Array,
  now: Instant,
): Promise<void> {
  await runStatement(
    tx,
    `insert into login.session_token (hash, user_id, family_id, made_at)
    values ($1, $2, $3, to_timestamp($4 / 1000.0))`,
    [hash, userId, id, now],
  )
}

export async function markReplaced(
  tx: Tx,
  userId: UserId,
  hash: Uint8Array,
  successorKeyId: string,
  now: Instant,
): Promise<void> {
  await runStatement(
    tx,
    `update login.session_token set replaced_at = to_timestamp($4 / 1000.0), successor_key_id = $3
    where user_id = $1 and hash = $2`,
    [userId, hash, successorKeyId, now],
  )
}

export interface SessionUse {
  readonly at: Instant
  /** Shortened; null from a front door that does not send it. */
  readonly address: string | null
}

export async function extendFamily(
  tx: Tx,
  { userId, id }: Pick<Family, 'userId' | 'id'>,
  expiresAt: Instant,
  use: SessionUse,
): Promise<void> {
  await runStatement(
    tx,
    `update login.session_family set expires_at = to_timestamp($3 / 1000.0), last_used_at = to_timestamp($4 / 1000.0),
      address = coalesce($5, address)
    where user_id = $1 and id = $2`,
    [userId, id, expiresAt, use.at, use.address],
  )
}

export async function addActingRegion(
  tx: Tx,
  { userId, id }: Pick<Family, 'userId' | 'id'>,
  region: RegionCode,
): Promise<void> {
  await runStatement(
    tx,
    `update login.session_family set acting_regions = array_append(acting_regions, $3)
    where user_id = $1 and id = $2 and not ($3 = any (acting_regions))`,
    [userId, id, region],
  )
}

export interface FamilyFilter {
  /** The family that is not revoked. */
  readonly exceptId?: string
  readonly onlyId?: string
  /** Families of a login on this trusted browser, or that are used on this device. */
  readonly deviceId?: string
}

/** Families that end now, or that ended before and are not yet revoked in every region. Where they were used is erased. */
export async function markRevoked(
  tx: Tx,
  userId: UserId,
  filter: FamilyFilter,
  now: Instant,
): Promise<readonly Family[]> {
  return runStatement<Family>(
    tx,
    `update login.session_family f set revoked_at = coalesce(f.revoked_at, to_timestamp($5 / 1000.0)),
      user_agent = null, address = null
    where f.user_id = $1 and not f.is_revoked_everywhere
      and ($2::uuid is null or f.id <> $2) and ($3::uuid is null or f.id = $3)
      and ($4::uuid is null or f.device_id = $4 or $4 = any (f.signing_device_ids))
    returning ${FAMILY}`,
    [userId, filter.exceptId ?? null, filter.onlyId ?? null, filter.deviceId ?? null, now],
  )
}

export async function markRevokedEverywhere(tx: Tx, userId: UserId, ids: readonly string[]): Promise<void> {
  await runStatement(
    tx,
    'update login.session_family set is_revoked_everywhere = true where user_id = $1 and id = any ($2)',
    [userId, ids],
  )
}

/** Revocations that a crash or an unreachable region interrupted. */
export async function listUnfinishedRevocations(
  read: Read,
  before: Instant,
  limit: number,
): Promise<readonly Family[]> {
  return runStatement<Family>(
    read,
    `select ${FAMILY} from login.session_family f
    where f.revoked_at < to_timestamp($1 / 1000.0) and not f.is_revoked_everywhere order by f.revoked_at limit $2`,
    [before, limit],
  )
}

/** Families that ended long ago, and tokens that would have expired without a rotation. */
export async function pruneSessions(tx: Tx, endedBefore: Instant, limit: number): Promise<number> {
  const families = await runStatement(
    tx,
    `delete from login.session_family where id in (select id from login.session_family
      where expires_at < to_timestamp($1 / 1000.0) limit $2) returning id`,
    [endedBefore, limit],
  )
  const tokens = await runStatement(
    tx,
    `delete from login.session_token where hash in (select hash from login.session_token
      where replaced_at < to_timestamp($1 / 1000.0) limit $2) returning family_id`,
    [endedBefore, limit],
  )
  return families.length + tokens.length
}

/** Live families that have tokens in other regions. */
export async function listActing(read: Read, userId: UserId): Promise<readonly Family[]> {
  return runStatement<Family>(
    read,
    `select ${FAMILY} from login.session_family f
    where f.user_id = $1 and not f.is_revoked_everywhere and f.acting_regions <> '{}'`,
    [userId],
  )
}

function foundToken(row: TokenRow): FoundToken {
  const { hash, replacedAt, successorKeyId, ...family } = row
  return { family, token: { hash, replacedAt, successorKeyId } }
}
