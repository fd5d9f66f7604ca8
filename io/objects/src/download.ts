import { Readable } from 'node:stream'
import { GetObjectCommand, HeadObjectCommand } from '@aws-sdk/client-s3'
import { accept, announceSlowCall, decline, type Result } from '@sealpost/kernel'
import type { ObjectKey } from './object-key.ts'
import { answeredInTime, type Bucket, deadline } from './s3-client.ts'
import type { Sha256 } from './sha256.ts'
import { unlessSilent, watchSilence } from './silence.ts'
import { DamagedObjectError, isMissingObject, ObjectStorageError } from './storage-error.ts'
import { verified } from './verified.ts'

export interface ObjectFacts {
  readonly sizeBytes: number
  readonly contentType: string
}

export interface OpenedObject extends ObjectFacts {
  readonly bytes: AsyncIterable<Uint8Array>
}

export async function readObject(
  bucket: Bucket,
  key: ObjectKey,
  expected: { readonly sha256: Sha256; readonly maxBytes: number },
): Promise<Result<Uint8Array, 'not_found' | 'damaged' | 'too_large'>> {
  const found = await fetchObject(bucket, key)
  if (found === null) return decline('not_found')
  if (found.sizeBytes > expected.maxBytes) {
    found.body.destroy()
    return decline('too_large')
  }
  try {
    const chunks: Uint8Array[] = []
    for await (const chunk of checked(found, expected.sha256)) chunks.push(chunk)
    return accept(Buffer.concat(chunks))
  } catch (error) {
    if (error instanceof DamagedObjectError) return decline('damaged')
    throw error
  }
}

export async function openObject(
  bucket: Bucket,
  key: ObjectKey,
  sha256: Sha256,
): Promise<Result<OpenedObject, 'not_found'>> {
  const found = await fetchObject(bucket, key)
  if (found === null) return decline('not_found')
  const { sizeBytes, contentType } = found
  return accept({ sizeBytes, contentType, bytes: checked(found, sha256) })
}

export async function headObject(bucket: Bucket, key: ObjectKey): Promise<Result<ObjectFacts, 'not_found'>> {
  announceSlowCall('object storage')
  const command = new HeadObjectCommand({ Bucket: bucket.name, Key: key })
  const free = await bucket.lines.others.take('head')
  try {
    const { ContentLength = 0, ContentType = UNKNOWN_TYPE } = await bucket.client.send(command, {
      abortSignal: deadline(bucket),
    })
    return accept({ sizeBytes: ContentLength, contentType: ContentType })
  } catch (error) {
    if (isMissingObject(error)) return decline('not_found')
    throw new ObjectStorageError('head', error)
  } finally {
    free()
  }
}

const UNKNOWN_TYPE = 'application/octet-stream'

interface FetchedObject extends ObjectFacts {
  readonly body: Readable
  /** Called by the reader: an answer that is never read must not keep its connection. */
  readonly begin: () => void
  readonly silenceMs: number
}

async function fetchObject(bucket: Bucket, key: ObjectKey): Promise<FetchedObject | null> {
  announceSlowCall('object storage')
  const command = new GetObjectCommand({ Bucket: bucket.name, Key: key })
  const free = await bucket.lines.downloads.take('get')
  try {
    const {
      Body,
      ContentLength,
      ContentType = UNKNOWN_TYPE,
    } = await answeredInTime(bucket, (abortSignal) => bucket.downloader.send(command, { abortSignal }))
    if (!(Body instanceof Readable) || ContentLength === undefined)
      throw new Error('the answer has no body or no length')
    const begin = watchSilence(Body, bucket.silenceMs)
    Body.once('error', () => {}).once('close', () => {
      begin()
      free()
    })
    return { body: Body, begin, sizeBytes: ContentLength, contentType: ContentType, silenceMs: bucket.silenceMs }
  } catch (error) {
    free()
    if (isMissingObject(error)) return null
    throw new ObjectStorageError('get', error)
  }
}

async function* checked(
  { body, begin, sizeBytes, silenceMs }: FetchedObject,
  sha256: Sha256,
): AsyncGenerator<Uint8Array> {
  begin()
  try {
    yield* verified(unlessSilent(body, silenceMs), { sizeBytes, sha256 })
  } catch (error) {
    throw error instanceof DamagedObjectError ? error : new ObjectStorageError('get', error)
  } finally {
    body.destroy()
  }
}
