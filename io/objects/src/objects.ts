import {
  CreateBucketCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  ListObjectsV2Command,
} from '@aws-sdk/client-s3'
import { getSignedUrl } from '@aws-sdk/s3-request-presigner'
import { accept, announceSlowCall, decline, Secret, type Result } from '@sealpost/kernel'
import { asked, limitsOfCall } from './asked.ts'
import { headObject, openObject, readObject, type ObjectFacts, type OpenedObject } from './download.ts'
import { parseObjectKey, type ObjectKey } from './object-key.ts'
import { PATIENCE, type Patience } from './patience.ts'
import { type Bucket, createS3Client } from './s3-client.ts'
import type { ObjectsPlace } from './settings.ts'
import { sha256InSlices, type Sha256 } from './sha256.ts'
import { openLines, SOCKET_LIMITS, type SocketLimits } from './sockets.ts'
import { DamagedObjectError, factsOf, isMissingObject, ObjectStorageError } from './storage-error.ts'
import { uploadBytes, uploadStream } from './upload.ts'
import { eraseObject, isVersionedBucket, recoverObject } from './versions.ts'

/**
 * Sealed files by key. A storage that is down, slow or misconfigured throws `ObjectStorageError`; expected results are
 * values.
 */
export interface Objects {
  /** Stores the bytes; with `sha256`, only if they match. */
  put(key: ObjectKey, content: Uint8Array, about: Contents): Promise<Result<StoredObject, 'damaged'>>
  /** The same for content that does not fit into memory; nothing is stored unless size and SHA-256 match. */
  putStream(
    key: ObjectKey,
    source: AsyncIterable<Uint8Array>,
    about: StreamContents,
  ): Promise<Result<StoredObject, 'damaged'>>
  /** The whole object in memory, verified. */
  get(key: ObjectKey, expected: ReadExpectation): Promise<Result<Uint8Array, ReadRefusal>>
  /** The object as a stream that throws `DamagedObjectError` before its last bytes if it does not match. */
  open(key: ObjectKey, sha256: Sha256): Promise<Result<OpenedObject, 'not_found'>>
  head(key: ObjectKey): Promise<Result<ObjectFacts, 'not_found'>>
  /** Readers find it no longer; a bucket with versioning keeps its bytes. A missing object is no error. */
  remove(key: ObjectKey): Promise<void>
  /** Deletes the bytes too, with all versions. A missing object is no error. */
  erase(key: ObjectKey): Promise<void>
  /** Undoes `remove` in a bucket with versioning; false when nothing is left of the object. */
  recover(key: ObjectKey): Promise<boolean>
  /** True when `remove` keeps the bytes. */
  isVersioned(): Promise<boolean>
  /** A URL with which any holder can read this object for a while. */
  presignGet(key: ObjectKey, validSeconds: number): Promise<Secret<string>>
  /** In the order of keys, for maintenance. */
  list(page: ListPage): Promise<ListedPage>
  /** Rejects while the bucket cannot be reached. */
  ping(): Promise<void>
  /** Creates the bucket if it is missing. */
  ensureBucket(): Promise<void>
  close(): void
}

export interface Contents {
  readonly contentType: string
  readonly sha256?: Sha256
}

export interface StreamContents {
  readonly contentType: string
  readonly sha256: Sha256
  readonly sizeBytes: number
}

export interface StoredObject {
  readonly sizeBytes: number
  readonly sha256: Sha256
}

export interface ReadExpectation {
  readonly sha256: Sha256
  /** A larger object is refused unread; use `open` for those. */
  readonly maxBytes: number
}

export type ReadRefusal = 'not_found' | 'damaged' | 'too_large'

export interface ListPage {
  readonly prefix?: string
  /** The last key of the previous page. */
  readonly after?: string
  readonly limit: number
}

export interface ListedPage {
  readonly objects: readonly { readonly key: ObjectKey; readonly sizeBytes: number }[]
  /** To pass as `after`; null at the end. */
  readonly next: string | null
}

export function openObjects(
  place: ObjectsPlace,
  patience: Partial<Patience> = {},
  limits: Partial<SocketLimits> = {},
): Objects {
  const { sockets, waitMs } = { ...SOCKET_LIMITS, ...limits }
  const { answerMs, silenceMs } = { ...PATIENCE, ...patience }
  const client = createS3Client(place, place.endpoint, patience, sockets)
  const presigner = createS3Client(place, place.presignEndpoint ?? place.endpoint, patience, sockets)
  const downloader = createS3Client(place, place.endpoint, { ...patience, silenceMs: 0 }, sockets)
  const lines = openLines({ sockets, waitMs })
  const bucket = { client, downloader, name: place.bucket, answerMs, silenceMs, lines }
  return {
    async put(key, content, { contentType, sha256 }) {
      announceSlowCall('object storage')
      const actual = await sha256InSlices(content)
      if (sha256 !== undefined && sha256 !== actual) return decline('damaged')
      await uploadBytes(bucket, { key, contentType }, content, actual)
      return accept({ sizeBytes: content.byteLength, sha256: actual })
    },
    async putStream(key, source, { contentType, sha256, sizeBytes }) {
      announceSlowCall('object storage')
      try {
        await uploadStream(bucket, { key, contentType }, source, { sizeBytes, sha256 })
        return accept({ sizeBytes, sha256 })
      } catch (error) {
        if (error instanceof DamagedObjectError) return decline('damaged')
        throw error
      }
    },
    get: (key, expected) => readObject(bucket, key, expected),
    open: (key, sha256) => openObject(bucket, key, sha256),
    head: (key) => headObject(bucket, key),
    async remove(key) {
      const command = new DeleteObjectCommand({ Bucket: place.bucket, Key: key })
      await asked('remove', lines.others, () => client.send(command, limitsOfCall(bucket)))
    },
    erase: (key) => eraseObject(bucket, key),
    recover: (key) => recoverObject(bucket, key),
    isVersioned: () => isVersionedBucket(bucket),
    async presignGet(key, validSeconds) {
      const command = new GetObjectCommand({ Bucket: place.bucket, Key: key })
      return new Secret(await getSignedUrl(presigner, command, { expiresIn: validSeconds }))
    },
    list: (page) => listObjects(bucket, page),
    async ping() {
      const command = new HeadBucketCommand({ Bucket: place.bucket })
      await asked('finding the bucket', lines.others, () => client.send(command, limitsOfCall(bucket)))
    },
    ensureBucket: () => ensureBucket(bucket),
    close() {
      client.destroy()
      downloader.destroy()
      presigner.destroy()
    },
  }
}

async function listObjects(bucket: Bucket, page: ListPage): Promise<ListedPage> {
  const command = new ListObjectsV2Command({
    Bucket: bucket.name,
    MaxKeys: page.limit,
    ...(page.prefix === undefined ? {} : { Prefix: page.prefix }),
    ...(page.after === undefined ? {} : { StartAfter: page.after }),
  })
  const { Contents: found = [], IsTruncated: hasMore } = await asked('list', bucket.lines.others, () =>
    bucket.client.send(command, limitsOfCall(bucket)),
  )
  const objects = found.flatMap(({ Key, Size }) => {
    // Objects under other names are not ours to list or delete.
    const key = parseObjectKey(Key ?? '')
    return key === null ? [] : [{ key, sizeBytes: Size ?? 0 }]
  })
  return { objects, next: hasMore === true ? (found.at(-1)?.Key ?? null) : null }
}

async function ensureBucket(bucket: Bucket): Promise<void> {
  announceSlowCall('object storage')
  try {
    await bucket.client.send(new HeadBucketCommand({ Bucket: bucket.name }), limitsOfCall(bucket))
  } catch (error) {
    if (!isMissingObject(error)) throw new ObjectStorageError('finding the bucket', error)
    await createBucket(bucket)
  }
}

async function createBucket(bucket: Bucket): Promise<void> {
  try {
    await bucket.client.send(new CreateBucketCommand({ Bucket: bucket.name }), limitsOfCall(bucket))
  } catch (error) {
    // Two processes that start together both try.
    if (factsOf(error).code !== 'BucketAlreadyOwnedByYou') throw new ObjectStorageError('creating the bucket', error)
  }
}
