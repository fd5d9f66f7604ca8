import type { Instant, UserId } from '@sealpost/kernel'
import type { ObjectKey, Sha256 } from '@sealpost/objects'
import { type Read, runStatement, type Tx } from '@sealpost/postgres'
import type { Photo, PhotoId } from '../model.ts'

interface PhotoRow {
  readonly account_id: UserId
  readonly id: PhotoId
  readonly full_key: ObjectKey
  readonly full_sha256: Sha256
  readonly full_bytes: number
  readonly full_width: number
  readonly full_height: number
  readonly card_key: ObjectKey
  readonly card_sha256: Sha256
  readonly card_bytes: number
  readonly card_width: number
  readonly card_height: number
  readonly created_at: Instant
}

const PHOTO = `account_id, id, full_key, full_sha256, full_bytes, full_width, full_height,
  card_key, card_sha256, card_bytes, card_width, card_height,
  round(extract(epoch from created_at) * 1000)::float8 as created_at`

/** All photos, oldest first: an account has few. */
export async function listPhotoRows(read: Read, accountId: UserId): Promise<readonly Photo[]> {
  const sql = `select ${PHOTO} from vault.photo where account_id = $1 order by id`
  return (await runStatement<PhotoRow>(read, sql, [accountId])).map(photoOf)
}

export async function findPhotoRows(read: Read, accountId: UserId, ids: readonly PhotoId[]): Promise<readonly Photo[]> {
  const sql = `select ${PHOTO} from vault.photo where account_id = $1 and id = any($2::uuid[]) order by id`
  return (await runStatement<PhotoRow>(read, sql, [accountId, ids])).map(photoOf)
}

/** FOR KEY SHARE: the photo cannot be deleted until the transaction ends. False when it is gone. */
export async function lockPhotoRowForShare(tx: Tx, accountId: UserId, id: PhotoId): Promise<boolean> {
  const sql = 'select 1 from vault.photo where account_id = $1 and id = $2 for key share'
  return (await runStatement(tx, sql, [accountId, id])).length === 1
}

export async function insertPhoto(tx: Tx, { accountId, id, full, card, createdAt }: Photo): Promise<void> {
  await runStatement(
    tx,
    `insert into vault.photo (account_id, id, full_key, full_sha256, full_bytes, full_width, full_height,
      card_key, card_sha256, card_bytes, card_width, card_height, created_at)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, to_timestamp($13 / 1000.0))`,
    [
      accountId,
      id,
      full.objectKey,
      full.sha256,
      full.bytes,
      full.width,
      full.height,
      card.objectKey,
      card.sha256,
      card.bytes,
      card.width,
      card.height,
      createdAt,
    ],
  )
}

/** Null when it is gone already. */
export async function deletePhotoRow(tx: Tx, accountId: UserId, id: PhotoId): Promise<Photo | null> {
  const sql = `delete from vault.photo where account_id = $1 and id = $2 returning ${PHOTO}`
  const [row] = await runStatement<PhotoRow>(tx, sql, [accountId, id])
  return row === undefined ? null : photoOf(row)
}

export async function deletePhotoRows(tx: Tx, accountId: UserId): Promise<readonly Photo[]> {
  const sql = `delete from vault.photo where account_id = $1 returning ${PHOTO}`
  return (await runStatement<PhotoRow>(tx, sql, [accountId])).map(photoOf)
}

function photoOf(row: PhotoRow): Photo {
  return {
    accountId: row.account_id,
    id: row.id,
    full: {
      objectKey: row.full_key,
      sha256: row.full_sha256,
      bytes: row.full_bytes,
      width: row.full_width,
      height: row.full_height,
    },
    card: {
      objectKey: row.card_key,
      sha256: row.card_sha256,
      bytes: row.card_bytes,
      width: row.card_width,
      height: row.card_height,
    },
    createdAt: row.created_at,
  }
}
