import type { Images } from '@sealpost/images'
import type { Clock, Ids, Random, UserId } from '@sealpost/kernel'
import type { Objects } from '@sealpost/objects'
import type { Database, Tx } from '@sealpost/postgres'
import type { PhotoId } from './photo.ts'

export interface PhotoNeeds {
  readonly database: Database
  readonly objects: Objects
  readonly images: Images
  readonly clock: Clock
  readonly ids: Ids
  readonly random: Random
  /** Of what is uploaded. */
  readonly maxBytes: number
  readonly hooks: PhotoHooks
}

export interface PhotoHooks {
  /** Whoever shows the photo shows it no longer. */
  onPhotoDeleted(tx: Tx, gone: { readonly accountId: UserId; readonly photoId: PhotoId }): Promise<void>
}
