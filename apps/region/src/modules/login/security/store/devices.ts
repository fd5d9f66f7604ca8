import type { Instant, UserId } from '@sealpost/kernel'
import { type Read, runStatement, type Tx } from '@sealpost/postgres'

export type DeviceKind = 'passkey' | 'device_key' | 'browser'

export interface Device {
  readonly id: string
  readonly kind: DeviceKind
  readonly name: string
  readonly createdAt: Instant
  readonly seenAt: Instant
  readonly expiresAt: Instant | null
}

/** A device with its public key: COSE for a passkey, SPKI for a device key. */
export interface SigningDevice {
  readonly id: string
  readonly kind: 'passkey' | 'device_key'
  readonly credentialId: Uint8Array | null
  readonly publicKey: Uint8Array
  readonly signCount: number
  readonly transports: readonly string[]
}

const DEVICE = `id, kind, name, (extract(epoch from created_at) * 1000)::float8 as "createdAt",
  (extract(epoch from seen_at) * 1000)::float8 as "seenAt", (extract(epoch from expires_at) * 1000)::float8 as "expiresAt"`

export async function listDevices(read: Read, userId: UserId, now: Instant, most: number): Promise<readonly Device[]> {
  return runStatement<Device>(
    read,
    `select ${DEVICE} from login.device
    where user_id = $1 and (expires_at is null or expires_at > to_timestamp($2 / 1000.0)) order by id limit $3`,
    [userId, now, most],
  )
}

export async function findDevice(read: Read, userId: UserId, id: string, now: Instant): Promise<Device | null> {
  const [row] = await runStatement<Device>(
    read,
    `select ${DEVICE} from login.device
    where user_id = $1 and id = $2 and (expires_at is null or expires_at > to_timestamp($3 / 1000.0))`,
    [userId, id, now],
  )
  return row ?? null
}

export async function insertSigningDevice(
  tx: Tx,
  userId: UserId,
  name: string,
  device: SigningDevice,
  now: Instant,
): Promise<boolean> {
  const { id, kind, credentialId, publicKey, signCount, transports } = device
  await runStatement(
    tx,
    `insert into login.device (user_id, id, kind, name, created_at, seen_at)
    values ($1, $2, $3, $4, to_timestamp($5 / 1000.0), to_timestamp($5 / 1000.0))`,
    [userId, id, kind, name, now],
  )
  const rows = await runStatement(
    tx,
    `insert into login.device_key (user_id, device_id, credential_id, public_key, sign_count, transports)
    values ($1, $2, $3, $4, $5, $6) on conflict (credential_id) do nothing returning device_id`,
    [userId, id, credentialId, publicKey, signCount, transports],
  )
  return rows.length === 1
}

const SIGNING = `d.id, d.kind, k.credential_id as "credentialId", k.public_key as "publicKey",
  k.sign_count::float8 as "signCount", k.transports
  from login.device d join login.device_key k on k.user_id = d.user_id and k.device_id = d.id`

export async function listSigningDevices(read: Read, userId: UserId): Promise<readonly SigningDevice[]> {
  return runStatement<SigningDevice>(read, `select ${SIGNING} where d.user_id = $1 order by d.id`, [userId])
}

/**
 * False when the device is deleted, or when its counter does not rise: then it was copied, or the signature repeated.
 */
export async function recordSignature(
  tx: Tx,
  userId: UserId,
  deviceId: string,
  signCount: number,
  now: Instant,
): Promise<boolean> {
  const rows = await runStatement(
    tx,
    `with signed as (
      update login.device_key set sign_count = $3
      where user_id = $1 and device_id = $2 and (sign_count < $3 or (sign_count = 0 and $3 = 0)) returning device_id)
    update login.device set seen_at = to_timestamp($4 / 1000.0)
    where user_id = $1 and id = (select device_id from signed) returning id`,
    [userId, deviceId, signCount, now],
  )
  return rows.length === 1
}

/** Null when this account has no such device. */
export async function renameDevice(
  tx: Tx,
  userId: UserId,
  id: string,
  name: string,
  now: Instant,
): Promise<Device | null> {
  const [row] = await runStatement<Device>(
    tx,
    `update login.device set name = $4
    where user_id = $1 and id = $2 and (expires_at is null or expires_at > to_timestamp($3 / 1000.0))
    returning ${DEVICE}`,
    [userId, id, now, name],
  )
  return row ?? null
}

/** False when this account has no such device. */
export async function deleteDevice(tx: Tx, userId: UserId, id: string): Promise<boolean> {
  const rows = await runStatement(tx, 'delete from login.device where user_id = $1 and id = $2 returning id', [
    userId,
    id,
  ])
  return rows.length === 1
}

export async function deleteBrowsers(tx: Tx, userId: UserId): Promise<void> {
  await runStatement(tx, `delete from login.device where user_id = $1 and kind = 'browser'`, [userId])
}

export type ChallengeKind = 'passkey' | 'device_key' | 'approval'

export async function insertChallenge(
  tx: Tx,
  userId: UserId,
  challenge: string,
  kind: ChallengeKind,
  now: Instant,
  expiresAt: Instant,
): Promise<void> {
  await runStatement(
    tx,
    'delete from login.device_challenge where user_id = $1 and expires_at <= to_timestamp($2 / 1000.0)',
    [userId, now],
  )
  await runStatement(
    tx,
    `insert into login.device_challenge (user_id, challenge, kind, expires_at)
    values ($1, $2, $3, to_timestamp($4 / 1000.0))`,
    [userId, challenge, kind, expiresAt],
  )
}

/** True once per challenge: it is deleted. */
export async function takeChallenge(
  tx: Tx,
  userId: UserId,
  challenge: string,
  kind: ChallengeKind,
  now: Instant,
): Promise<boolean> {
  const rows = await runStatement(
    tx,
    `delete from login.device_challenge
    where user_id = $1 and challenge = $2 and kind = $3 and expires_at > to_timestamp($4 / 1000.0) returning challenge`,
    [userId, challenge, kind, now],
  )
  return rows.length === 1
}
