import type { Instant, UserId } from '@sealpost/kernel'
import { type Read, runStatement, type Tx } from '@sealpost/postgres'
import type { Sealed } from '@sealpost/sealing'

export interface SecondFactor {
  readonly userId: UserId
  readonly sealed: Sealed
  readonly lastStep: number
  readonly begunAt: Instant
  readonly confirmedAt: Instant | null
}

interface Row {
  readonly userId: UserId
  readonly keyId: string
  readonly bytes: Uint8Array
  readonly lastStep: number
  readonly begunAt: Instant
  readonly confirmedAt: Instant | null
}

const COLUMNS = `user_id as "userId", key_id as "keyId", sealed as bytes, last_step::float8 as "lastStep",
  (extract(epoch from begun_at) * 1000)::float8 as "begunAt",
  (extract(epoch from confirmed_at) * 1000)::float8 as "confirmedAt"`

export async function findSecondFactor(read: Read, userId: UserId): Promise<SecondFactor | null> {
  const [row] = await runStatement<Row>(read, `select ${COLUMNS} from login.second_factor where user_id = $1`, [userId])
  return row === undefined ? null : fromRow(row)
}

/** FOR UPDATE: no concurrent login uses a code of this account until the transaction ends. */
export async function lockSecondFactor(tx: Tx, userId: UserId): Promise<SecondFactor | null> {
  const sql = `select ${COLUMNS} from login.second_factor where user_id = $1 for update`
  const [row] = await runStatement<Row>(tx, sql, [userId])
  return row === undefined ? null : fromRow(row)
}

/** Stores a new secret that is to be confirmed. False when one is in force. */
export async function beginSecondFactor(tx: Tx, userId: UserId, sealed: Sealed, now: Instant): Promise<boolean> {
  const rows = await runStatement(
    tx,
    `insert into login.second_factor as f (user_id, key_id, sealed, begun_at)
    values ($1, $2, $3, to_timestamp($4 / 1000.0))
    on conflict (user_id) do update
      set key_id = excluded.key_id, sealed = excluded.sealed, begun_at = excluded.begun_at, last_step = 0
      where f.confirmed_at is null
    returning user_id`,
    [userId, sealed.keyId, sealed.bytes, now],
  )
  return rows.length === 1
}

export async function updateSecondFactor(tx: Tx, factor: SecondFactor): Promise<void> {
  await runStatement(
    tx,
    `update login.second_factor
    set key_id = $2, sealed = $3, last_step = $4, confirmed_at = to_timestamp($5::float8 / 1000.0) where user_id = $1`,
    [factor.userId, factor.sealed.keyId, factor.sealed.bytes, factor.lastStep, factor.confirmedAt],
  )
}

export async function removeSecondFactor(tx: Tx, userId: UserId): Promise<void> {
  await runStatement(tx, 'delete from login.second_factor where user_id = $1', [userId])
}

/** A page of rows under other keys than the active one, in the order of their owners. FOR UPDATE. */
export async function lockFactorsUnderOtherKeys(
  tx: Tx,
  activeKeyId: string,
  after: string,
  limit: number,
): Promise<readonly SecondFactor[]> {
  const rows = await runStatement<Row>(
    tx,
    `select ${COLUMNS} from login.second_factor where key_id <> $1 and user_id > $2 order by user_id limit $3 for update`,
    [activeKeyId, after, limit],
  )
  return rows.map(fromRow)
}

function fromRow({ keyId, bytes, ...factor }: Row): SecondFactor {
  return { ...factor, sealed: { keyId, bytes } }
}
