import type { Brand, Instant, UserId } from '@sealpost/kernel'
import type { ObjectKey, Sha256 } from '@sealpost/objects'

export type PhotoId = Brand<string, 'PhotoId'>

/** One picture of a photo in object storage. */
export interface PhotoObject {
  readonly objectKey: ObjectKey
  readonly sha256: Sha256
  readonly bytes: number
  readonly width: number
  readonly height: number
}

/** A profile photo, drawn anew by the platform. */
export interface Photo {
  readonly accountId: UserId
  readonly id: PhotoId
  readonly full: PhotoObject
  readonly card: PhotoObject
  readonly createdAt: Instant
}

/** A picture that another region may fetch by a link. */
export interface CardPhoto extends Pick<PhotoObject, 'objectKey' | 'sha256' | 'bytes'> {
  readonly contentType: string
}
