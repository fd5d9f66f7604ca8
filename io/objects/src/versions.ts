import {
  DeleteObjectCommand,
  GetBucketVersioningCommand,
  ListObjectVersionsCommand,
  type ListObjectVersionsCommandOutput,
} from '@aws-sdk/client-s3'
import { asked, limitsOfCall } from './asked.ts'
import type { ObjectKey } from './object-key.ts'
import type { Bucket } from './s3-client.ts'
import { ObjectStorageError } from './storage-error.ts'

/** Servers without versions, and policies that do not show them. */
const UNKNOWN = new Set([403, 405, 501])

/** Whether the bucket keeps what is removed. A bucket that does not tell counts as one that does not. */
export async function isVersionedBucket(bucket: Bucket): Promise<boolean> {
  const command = new GetBucketVersioningCommand({ Bucket: bucket.name })
  try {
    const { Status } = await asked('reading the versioning', bucket.lines.others, () =>
      bucket.client.send(command, limitsOfCall(bucket)),
    )
    return Status === 'Enabled'
  } catch (error) {
    nullWhenUnknown(error)
    return false
  }
}

function nullWhenUnknown(error: unknown): null {
  if (error instanceof ObjectStorageError && error.status !== null && UNKNOWN.has(error.status)) return null
  throw error
}

/**
 * Removes the object with all its versions. They are listed first, because not every server says at a removal whether it
 * keeps a version.
 */
export async function eraseObject(bucket: Bucket, key: ObjectKey): Promise<void> {
  const found = await listVersions(bucket, key).catch(nullWhenUnknown)
  if (found === null) await deleteObject(bucket, key)
  else for (const id of [...found.versions, ...found.markers]) await deleteObject(bucket, key, id)
}

/** Makes a removed object readable again; false when no version of it is left. */
export async function recoverObject(bucket: Bucket, key: ObjectKey): Promise<boolean> {
  const { versions, markers } = await listVersions(bucket, key)
  if (versions.length === 0) return false
  for (const id of markers) await deleteObject(bucket, key, id)
  return true
}

function deleteObject(bucket: Bucket, key: ObjectKey, version?: string) {
  const command = new DeleteObjectCommand({
    Bucket: bucket.name,
    Key: key,
    ...(version === undefined ? {} : { VersionId: version }),
  })
  return asked('remove', bucket.lines.others, () => bucket.client.send(command, limitsOfCall(bucket)))
}

interface Versions {
  readonly versions: readonly string[]
  readonly markers: readonly string[]
}

async function listVersions(bucket: Bucket, key: ObjectKey): Promise<Versions> {
  const versions: string[] = []
  const markers: string[] = []
  let next: Pick<ListObjectVersionsCommandOutput, 'NextKeyMarker' | 'NextVersionIdMarker'> | null = {}
  while (next !== null) {
    const page: ListObjectVersionsCommandOutput = await listPage(bucket, key, next)
    for (const { Key, VersionId: id } of page.Versions ?? []) if (Key === key && id !== undefined) versions.push(id)
    for (const { Key, VersionId: id } of page.DeleteMarkers ?? []) if (Key === key && id !== undefined) markers.push(id)
    next = page.IsTruncated === true ? page : null
  }
  return { versions, markers }
}

function listPage(
  bucket: Bucket,
  key: ObjectKey,
  {
    NextKeyMarker: keyMarker,
    NextVersionIdMarker: idMarker,
  }: Pick<ListObjectVersionsCommandOutput, 'NextKeyMarker' | 'NextVersionIdMarker'>,
): Promise<ListObjectVersionsCommandOutput> {
  const command = new ListObjectVersionsCommand({
    Bucket: bucket.name,
    Prefix: key,
    ...(keyMarker === undefined ? {} : { KeyMarker: keyMarker }),
    ...(idMarker === undefined ? {} : { VersionIdMarker: idMarker }),
  })
  return asked('listing versions', bucket.lines.others, () => bucket.client.send(command, limitsOfCall(bucket)))
}
