import { DRAWN_TYPE, type Drawn } from '@sealpost/images'
import { type Instant, instant, parseUuid, type UserId } from '@sealpost/kernel'
import type { ObjectKey, Sha256 } from '@sealpost/objects'
import type { Read, Tx } from '@sealpost/postgres'
import { refuse } from '@sealpost/protocol'
import { findAccount, lockAccount } from '../../account/index.ts'
import { announceObject, discardObjects, keepObject } from '../garbage/index.ts'
import type { PhotoNeeds } from './needs.ts'
import type { Photo, PhotoId, PhotoObject } from './photo.ts'
import {
  deletePhotoRow,
  deletePhotoRows,
  findPhotoRows,
  insertPhoto,
  listPhotoRows,
  shareRowOf,
} from './store/photos.ts'
import { readUpload, refuseImage } from './upload.ts'

/** Lists are answered from memory, and nobody shows more. */
const MOST_PHOTOS = 100
/** Whoever is reading a picture when it is removed may finish. */
const READERS_LEAVE_MS = 10 * 60_000

export async function addPhoto(
  needs: PhotoNeeds,
  accountId: UserId,
  file: string,
  storeAnswer: (tx: Tx, photo: Photo) => Promise<void>,
): Promise<Photo> {
  const drawn = await needs.images.redrawPhoto(readUpload(file, needs.maxBytes), { maxBytes: needs.maxBytes })
  if (!drawn.ok) throw refuseImage(drawn.refusal, needs.maxBytes)
  const full = await storePicture(needs, drawn.value.full)
  const card = await storePicture(needs, drawn.value.card)
  const photo: Photo = { accountId, id: needs.ids.uuid<PhotoId>(), full, card, createdAt: needs.clock.now() }
  await needs.database.transaction(async (tx) => {
    // Alone, so that photos that come at the same time count each other.
    await lockAccount(tx, accountId)
    if ((await findAccount(tx, accountId)) === null) throw refuse('auth.token_invalid')
    if ((await listPhotoRows(tx, accountId)).length >= MOST_PHOTOS) throw tooMany()
    for (const { objectKey } of [full, card]) await keepObject(tx, objectKey)
    await insertPhoto(tx, photo)
    await storeAnswer(tx, photo)
  })
  return photo
}

async function storePicture(needs: PhotoNeeds, { bytes, width, height }: Drawn): Promise<PhotoObject> {
  const objectKey = await announceObject(needs)
  const stored = await needs.objects.put(objectKey, bytes, { contentType: DRAWN_TYPE })
  if (!stored.ok) throw new Error('a picture changed while it was stored')
  return { objectKey, sha256: stored.value.sha256, bytes: bytes.length, width, height }
}

export async function removePhoto(needs: PhotoNeeds, accountId: UserId, photoId: PhotoId): Promise<void> {
  const { database, clock, hooks } = needs
  await database.transaction(async (tx) => {
    const photo = await deletePhotoRow(tx, accountId, photoId)
    if (photo === null) throw refuse('request.not_found')
    await discardPictures(tx, [photo], clock.now())
    await hooks.onPhotoDeleted(tx, { accountId, photoId })
  })
}

/** The account is gone; what showed its photos ends by its own hooks. */
export async function forgetPhotos(
  tx: Tx,
  { accountId, at }: { readonly accountId: UserId; readonly at: Instant },
): Promise<void> {
  await lockAccount(tx, accountId)
  await discardPictures(tx, await deletePhotoRows(tx, accountId), at)
}

function discardPictures(tx: Tx, photos: readonly Photo[], at: Instant): Promise<void> {
  const keys = photos.flatMap(({ full, card }) => [full.objectKey, card.objectKey])
  return discardObjects(tx, keys, instant(at + READERS_LEAVE_MS))
}

/** Oldest first; unknown ones and somebody else's are left out. */
export async function findPhotos(read: Read, accountId: UserId, ids: readonly string[]): Promise<readonly Photo[]> {
  const known = ids.map((id) => parseUuid<PhotoId>(id)).filter((id) => id !== null)
  return known.length === 0 ? [] : findPhotoRows(read, accountId, known)
}

export async function findPhoto(read: Read, accountId: UserId, id: string): Promise<Photo | null> {
  const [photo] = await findPhotos(read, accountId, [id])
  return photo ?? null
}

/**
 * For whoever is about to show it: whether there is such a photo, which then stays until the transaction ends. So one that
 * is removed at the same time either finds what shows it, or is not shown.
 */
export async function holdPhoto(tx: Tx, accountId: UserId, photoId: string): Promise<boolean> {
  const id = parseUuid<PhotoId>(photoId)
  return id !== null && shareRowOf(tx, accountId, id)
}

/** A picture that may leave by a link. */
export interface CardPhoto {
  readonly objectKey: ObjectKey
  readonly sha256: Sha256
  readonly bytes: number
  readonly contentType: string
}

/** The small picture, as business cards show it. */
export async function findCardPhoto(read: Read, accountId: UserId, photoId: string): Promise<CardPhoto | null> {
  const photo = await findPhoto(read, accountId, photoId)
  if (photo === null) return null
  const { objectKey, sha256, bytes } = photo.card
  return { objectKey, sha256, bytes, contentType: DRAWN_TYPE }
}

/** The same with its bytes. Slow: never inside a transaction. */
export async function readCardPhoto(
  needs: Pick<PhotoNeeds, 'database' | 'objects'>,
  accountId: UserId,
  photoId: string,
): Promise<{ readonly contentType: string; readonly bytes: Uint8Array } | null> {
  const photo = await needs.database.read((read) => findPhoto(read, accountId, photoId))
  return photo === null ? null : { contentType: DRAWN_TYPE, bytes: await readPicture(needs, photo.card) }
}

export async function readPicture(
  { objects }: Pick<PhotoNeeds, 'objects'>,
  { objectKey, sha256, bytes }: PhotoObject,
): Promise<Uint8Array> {
  const found = await objects.get(objectKey, { sha256, maxBytes: bytes })
  if (!found.ok) throw new Error(`a picture of a photo is ${found.refusal}`)
  return found.value
}

function tooMany(): Error {
  const message = `an account has at most ${MOST_PHOTOS} photos; remove one first`
  return refuse('request.invalid', { details: [{ path: '/body', message }] })
}
