import {
  CreateBucketCommand,
  DeleteObjectCommand,
  HeadBucketCommand,
  paginateListObjectsV2,
  S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3'
import { answersHttp, type S3Endpoint } from '@sealpost/testkit/engines'
import { GATEWAY, hasAllDaemons, startCeph } from './ceph.ts'
import type { EnginePlan } from './engine.ts'
import { hasProgram } from './packages.ts'

const HTTP_NOT_FOUND = 404
const PACKAGES = { radosgw: 'radosgw', 'ceph-mon': 'ceph-mon', 'ceph-osd': 'ceph-osd', ceph: 'ceph-common' }

/** Valid on loopback only; each region has its own user, which cannot read the other region's bucket. */
export function localS3(
  region: string,
): Omit<S3Endpoint, 'endpoint' | 'secretAccessKey'> & { secretAccessKey: string } {
  const name = `sealpost-${region}`
  return { region: 'us-east-1', accessKeyId: name, secretAccessKey: `${name}-on-loopback-only`, bucket: name }
}

/** Ceph's gateway; another S3 server on this machine would be unusable without its keys. */
export function planS3(regions: readonly string[]): EnginePlan {
  const missing = Object.entries(PACKAGES).filter(([program]) => !hasProgram(program))
  return {
    daemon: hasAllDaemons() ? GATEWAY : 'no-s3',
    wellKnownUrl: null,
    answers: answersHttp,
    packages: missing.map(([, name]) => name),
    start: () => startCeph(regions.map((region) => ({ name: `sealpost-${region}`, ...localS3(region) }))),
  }
}

/** Creates the bucket unless it exists. */
export async function ensureBucket(endpoint: S3Endpoint): Promise<void> {
  await withS3(endpoint, async (client) => {
    const Bucket = endpoint.bucket
    try {
      await client.send(new HeadBucketCommand({ Bucket }))
    } catch (error) {
      if (!(error instanceof S3ServiceException) || error.$metadata.httpStatusCode !== HTTP_NOT_FOUND)
        throw new Error(`bucket ${Bucket} at ${endpoint.endpoint} cannot be used: ${String(error)}`, { cause: error })
      await client.send(new CreateBucketCommand({ Bucket }))
    }
  })
}

/** One by one: not every S3 server supports batch deletion. */
export async function emptyBucket(endpoint: S3Endpoint): Promise<number> {
  return withS3(endpoint, async (client) => {
    const Bucket = endpoint.bucket
    let deleted = 0
    for await (const page of paginateListObjectsV2({ client }, { Bucket })) {
      for (const { Key } of page.Contents ?? []) await client.send(new DeleteObjectCommand({ Bucket, Key }))
      deleted += page.Contents?.length ?? 0
    }
    return deleted
  })
}

async function withS3<T>(endpoint: S3Endpoint, work: (client: S3Client) => Promise<T>): Promise<T> {
  const client = new S3Client({
    endpoint: endpoint.endpoint,
    region: endpoint.region,
    credentials: { accessKeyId: endpoint.accessKeyId, secretAccessKey: endpoint.secretAccessKey.reveal() },
    forcePathStyle: true,
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  })
  try {
    return await work(client)
  } finally {
    client.destroy()
  }
}
