import { randomBytes } from 'node:crypto'
import {
  CreateBucketCommand,
  ListObjectVersionsCommand,
  PutBucketVersioningCommand,
  S3Client,
} from '@aws-sdk/client-s3'
import type { S3Endpoint } from './endpoints.ts'

export interface TestBucket {
  readonly name: string
  /** How many versions and delete markers the bucket has of a key. */
  readonly versionsOf: (key: string) => Promise<number>
}

/** A new bucket of a test's own, with or without versioning. */
export async function makeBucket(
  { endpoint, region, accessKeyId, secretAccessKey }: Omit<S3Endpoint, 'bucket'>,
  { isVersioned }: { readonly isVersioned: boolean },
): Promise<TestBucket> {
  const name = `test-${randomBytes(8).toString('hex')}`
  const credentials = { accessKeyId, secretAccessKey: secretAccessKey.reveal() }
  const client = new S3Client({ endpoint, region, forcePathStyle: true, credentials })
  await client.send(new CreateBucketCommand({ Bucket: name }))
  if (isVersioned) {
    const VersioningConfiguration = { Status: 'Enabled' } as const
    await client.send(new PutBucketVersioningCommand({ Bucket: name, VersioningConfiguration }))
  }
  return {
    name,
    async versionsOf(key) {
      const page = await client.send(new ListObjectVersionsCommand({ Bucket: name, Prefix: key }))
      return (page.Versions?.length ?? 0) + (page.DeleteMarkers?.length ?? 0)
    },
  }
}
