import { Readable } from 'node:stream'
import { PutObjectCommand } from '@aws-sdk/client-s3'
import type { ObjectKey } from './object-key.ts'
import { type Bucket, deadline } from './s3-client.ts'
import { md5InSlices, type Sha256 } from './sha256.ts'
import { ObjectStorageError } from './storage-error.ts'
import { verified, type Expected } from './verified.ts'

interface Destination {
  readonly key: ObjectKey
  readonly contentType: string
}

export async function uploadBytes(bucket: Bucket, to: Destination, bytes: Uint8Array, sha256: Sha256): Promise<void> {
  const command = putCommand(bucket, to, {
    Body: bytes,
    ContentLength: bytes.byteLength,
    ContentMD5: await md5InSlices(bytes),
  })
  announceDigest(command, sha256)
  const free = await bucket.lines.others.take('put')
  try {
    await bucket.client.send(command, { abortSignal: deadline(bucket, bytes.byteLength) })
  } catch (error) {
    throw new ObjectStorageError('put', error)
  } finally {
    free()
  }
}

export async function uploadStream(
  bucket: Bucket,
  to: Destination,
  source: AsyncIterable<Uint8Array>,
  expected: Expected,
): Promise<void> {
  const free = await bucket.lines.others.take('put')
  const body = Readable.from(verified(source, expected), { objectMode: false })
  const broken = new AbortController()
  let sourceError: Error | null = null
  // The SDK pipes without watching its source: a failing source would leave the request waiting for bytes.
  body.once('error', (error) => {
    sourceError = error
    broken.abort()
  })
  const command = putCommand(bucket, to, { Body: body, ContentLength: expected.sizeBytes })
  announceDigest(command, expected.sha256)
  const abortSignal = AbortSignal.any([broken.signal, deadline(bucket, expected.sizeBytes)])
  try {
    await bucket.client.send(command, { abortSignal })
  } catch (error) {
    throw sourceError ?? new ObjectStorageError('put', error)
  } finally {
    free()
    body.destroy()
  }
}

type Content = Pick<ConstructorParameters<typeof PutObjectCommand>[0], 'Body' | 'ContentLength' | 'ContentMD5'>

function putCommand({ name }: Bucket, { key, contentType }: Destination, content: Content): PutObjectCommand {
  return new PutObjectCommand({ Bucket: name, Key: key, ContentType: contentType, ...content })
}

/**
 * Signs the body's digest instead of leaving the payload unsigned, which the SDK does for streams: the server compares
 * it and refuses damaged content.
 */
function announceDigest(command: PutObjectCommand, sha256: Sha256): void {
  command.middlewareStack.add(
    (next) => (args) => {
      const { request } = args
      if (typeof request === 'object' && request !== null && 'headers' in request) {
        Object.assign(request.headers ?? {}, { 'x-amz-content-sha256': sha256 })
      }
      return next(args)
    },
    { step: 'build', name: 'announceDigest' },
  )
}
