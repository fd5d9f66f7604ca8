import { CreateBucketCommand, GetObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3'
import { expect, test } from 'vitest'
import { type PrivateS3, startPrivateS3 } from './s3.ts'

test('two private S3 servers run side by side, and one on disk keeps its objects over SIGKILL', async () => {
  const [kept, other] = await Promise.all([startPrivateS3({ store: 'disk' }), startPrivateS3()])
  const [client, otherClient] = [clientOf(kept), clientOf(other)]
  try {
    await client.send(new CreateBucketCommand({ Bucket: 'papers' }))
    await client.send(new PutObjectCommand({ Bucket: 'papers', Key: 'one', Body: 'sealed' }))
    await kept.kill()
    await kept.start()

    const answer = await client.send(new GetObjectCommand({ Bucket: 'papers', Key: 'one' }))
    expect(await answer.Body?.transformToString()).toBe('sealed')
    const sameKey = otherClient.send(new GetObjectCommand({ Bucket: 'papers', Key: 'one' }))
    await expect(sameKey).rejects.toMatchObject({ name: 'NoSuchBucket' })
  } finally {
    client.destroy()
    otherClient.destroy()
    await Promise.all([kept.remove(), other.remove()])
  }
})

function clientOf({ url, accessKeyId, secretAccessKey }: PrivateS3): S3Client {
  const credentials = { accessKeyId, secretAccessKey }
  return new S3Client({ endpoint: url, region: 'us-east-1', credentials, forcePathStyle: true })
}
