import type { Brand, Instant, UserId } from '@sealpost/kernel'
import type { ObjectKey, Sha256 } from '@sealpost/objects'

export type PhotoId = Brand<string, 'PhotoId'>

/** One picture of a photo, as it lies in object storage. */
export interface PhotoObject {
  readonly objectKey: ObjectKey
  readonly sha256: Sha256
  readonly bytes: number
  readonly width: number
  readonly height: number
}

/** A profile photo: ours to show, since it was drawn by us. */
export interface Photo {
  readonly accountId: UserId
  readonly id: PhotoId
  readonly full: PhotoObject
  readonly card: PhotoObject
  readonly createdAt: Instant
}
