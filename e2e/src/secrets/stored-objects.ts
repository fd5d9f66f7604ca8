import { GetObjectCommand, paginateListObjectsV2, S3Client } from '@aws-sdk/client-s3'
import type { S3Endpoint } from '@sealpost/testkit'
import type { Piece } from './search.ts'

/** The objects of a bucket that were written since the start: the bucket is shared with other runs. */
export async function readObjects(name: string, store: S3Endpoint, since: Date): Promise<readonly Piece[]> {
  const { endpoint, region, bucket, accessKeyId, secretAccessKey } = store
  const credentials = { accessKeyId, secretAccessKey: secretAccessKey.reveal() }
  const client = new S3Client({ endpoint, region, credentials, forcePathStyle: true })
  try {
    const pieces: Piece[] = []
    for await (const page of paginateListObjectsV2({ client }, { Bucket: bucket })) {
      for (const { Key = '', LastModified } of page.Contents ?? []) {
        // The store rounds times to seconds.
        if (LastModified !== undefined && LastModified.getTime() < since.getTime() - 1000) continue
        pieces.push(...(await readObject(client, bucket, Key, `S3 ${name}, ${Key}`)))
      }
    }
    return pieces
  } finally {
    client.destroy()
  }
}

async function readObject(client: S3Client, bucket: string, key: string, place: string): Promise<readonly Piece[]> {
  const found = await client.send(new GetObjectCommand({ Bucket: bucket, Key: key }))
  const content = (await found.Body?.transformToByteArray()) ?? new Uint8Array()
  return [
    { place, content: key },
    { place, content },
    { place, content: JSON.stringify(found.Metadata ?? {}) },
  ]
}
