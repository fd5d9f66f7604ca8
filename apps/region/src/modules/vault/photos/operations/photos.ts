import { DRAWN_TYPE, type Drawn } from '@sealpost/images'
import { type Instant, parseUuid, type UserId } from '@sealpost/kernel'
import type { Read, Tx } from '@sealpost/postgres'
import { refuse } from '@sealpost/protocol'
import { reportMissing } from '../../../../platform/missing-object.ts'
import type { Platform } from '../../../../platform/module.ts'
import { findAccount, lockAccount } from '../../../account/index.ts'
import type { VaultContext } from '../../context.ts'
import { announceObject, discardObjects, keepObject } from '../../garbage/index.ts'
import { countStored, requireRoom } from '../../operations/stored-bytes.ts'
import { addStoredBytes, deleteStoredBytes } from '../../store/stored-bytes.ts'
import { photoToWire } from '../../wire.ts'
import type { CardPhoto, Photo, PhotoId, PhotoObject } from '../model.ts'
import { readUpload, refuseImage } from '../rules/upload.ts'
import {
  deletePhotoRow,
  deletePhotoRows,
  findPhotoRows,
  insertPhoto,
  listPhotoRows,
  lockPhotoRowForShare,
} from '../store/photos.ts'

/** Lists are answered from memory. */
const MAX_PHOTOS = 100
const MB = 1_048_576

export async function addPhoto(vault: VaultContext, accountId: UserId, file: string): Promise<Photo> {
  const maxBytes = vault.settings.PHOTO_MAX_MB * MB
  const drawn = await vault.images.redrawPhoto(readUpload(file, maxBytes), { maxBytes })
  if (!drawn.ok) throw refuseImage(drawn.refusal, maxBytes)
  const pictures = [drawn.value.full, drawn.value.card]
  const bytes = pictures.reduce((sum, picture) => sum + picture.bytes.length, 0)
  await vault.database.read((read) => requireRoom(vault, read, accountId, bytes))
  const full = await storePicture(vault, drawn.value.full)
  const card = await storePicture(vault, drawn.value.card)
  const photo: Photo = { accountId, id: vault.ids.uuid<PhotoId>(), full, card, createdAt: vault.clock.now() }
  await vault.database.transaction(async (tx) => {
    // FOR UPDATE, so that concurrent uploads count each other.
    await lockAccount(tx, accountId)
    if ((await findAccount(tx, accountId)) === null) throw refuse('auth.token_invalid')
    if ((await listPhotoRows(tx, accountId)).length >= MAX_PHOTOS) throw tooMany()
    for (const { objectKey } of [full, card]) await keepObject(tx, objectKey)
    await insertPhoto(tx, photo)
    await countStored(vault, tx, accountId, bytes)
    await tx.storeAnswer(photoToWire(photo))
  })
  return photo
}

async function storePicture(
  vault: Pick<Platform, 'database' | 'clock' | 'random' | 'objects'>,
  { bytes, width, height }: Drawn,
): Promise<PhotoObject> {
  const objectKey = await announceObject(vault)
  const stored = await vault.objects.put(objectKey, bytes, { contentType: DRAWN_TYPE })
  if (!stored.ok) throw new Error('a picture changed while it was stored')
  return { objectKey, sha256: stored.value.sha256, bytes: bytes.length, width, height }
}

export async function removePhoto(
  { database, clock, hooks }: VaultContext,
  accountId: UserId,
  photoId: PhotoId,
): Promise<void> {
  await database.transaction(async (tx) => {
    const photo = await deletePhotoRow(tx, accountId, photoId)
    if (photo === null) throw refuse('request.not_found')
    await discardPictures(tx, [photo], clock.now())
    await addStoredBytes(tx, accountId, -(photo.full.bytes + photo.card.bytes), clock.now())
    await hooks.onPhotoDeleted(tx, { accountId, photoId })
  })
}

/** Part of the erasure of an account. The services that show its photos end by their own hooks. */
export async function forgetPhotos(
  tx: Tx,
  { accountId, at }: { readonly accountId: UserId; readonly at: Instant },
): Promise<void> {
  await lockAccount(tx, accountId)
  await discardPictures(tx, await deletePhotoRows(tx, accountId), at)
  await deleteStoredBytes(tx, accountId)
}

function discardPictures(tx: Tx, photos: readonly Photo[], at: Instant): Promise<void> {
  const keys = photos.flatMap(({ full, card }) => [full.objectKey, card.objectKey])
  return discardObjects(tx, keys, at)
}

/** Oldest first; unknown ids and those of another account are left out. */
export async function findPhotos(read: Read, accountId: UserId, ids: readonly string[]): Promise<readonly Photo[]> {
  const known = ids.map((id) => parseUuid<PhotoId>(id)).filter((id) => id !== null)
  return known.length === 0 ? [] : findPhotoRows(read, accountId, known)
}

export async function findPhoto(read: Read, accountId: UserId, id: string): Promise<Photo | null> {
  const [photo] = await findPhotos(read, accountId, [id])
  return photo ?? null
}

/**
 * Called before a card shows the photo; false when there is none. The lock keeps the photo until the transaction ends, so
 * a concurrent removal either finds the card that shows it, or comes first.
 */
export async function lockPhotoForShare(tx: Tx, accountId: UserId, photoId: string): Promise<boolean> {
  const id = parseUuid<PhotoId>(photoId)
  return id !== null && lockPhotoRowForShare(tx, accountId, id)
}

/** The small picture, for business cards. */
export async function findCardPhoto(read: Read, accountId: UserId, photoId: string): Promise<CardPhoto | null> {
  const photo = await findPhoto(read, accountId, photoId)
  if (photo === null) return null
  const { objectKey, sha256, bytes } = photo.card
  return { objectKey, sha256, bytes, contentType: DRAWN_TYPE }
}

/** The small picture with its bytes. Slow: never inside a transaction. */
export async function readCardPhoto(
  vault: Pick<Platform, 'database' | 'objects' | 'telemetry'>,
  accountId: UserId,
  photoId: string,
): Promise<{ readonly contentType: string; readonly bytes: Uint8Array } | null> {
  const photo = await vault.database.read((read) => findPhoto(read, accountId, photoId))
  const bytes = photo === null ? null : await readPicture(vault, photo.card)
  return bytes === null ? null : { contentType: DRAWN_TYPE, bytes }
}

/** Null when the store does not have it. */
export async function readPicture(
  platform: Pick<Platform, 'objects' | 'telemetry'>,
  { objectKey, sha256, bytes }: PhotoObject,
): Promise<Uint8Array | null> {
  const found = await platform.objects.get(objectKey, { sha256, maxBytes: bytes })
  if (!found.ok && found.refusal === 'not_found') {
    reportMissing(platform, objectKey)
    return null
  }
  if (!found.ok) throw new Error(`object ${objectKey} of a photo is ${found.refusal}`)
  return found.value
}

function tooMany(): Error {
  const message = `an account has at most ${MAX_PHOTOS} photos; remove one first`
  return refuse('request.invalid', { details: [{ path: '/body', message }] })
}
