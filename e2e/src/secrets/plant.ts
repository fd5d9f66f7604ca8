import { DeleteObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3'
import { jetstream, jetstreamManager } from '@nats-io/jetstream'
import { type Installation, type ObservedNats, readEngines } from '@sealpost/testkit'
import { Redis } from 'ioredis'
import { Client } from 'pg'
import { observeNats } from './observe-nats.ts'

/** Writes a text in several forms to every place that the search reads. */
export async function plantEverywhere(installation: Installation, text: string): Promise<void> {
  const { frontDoor, eu, us } = installation.environment
  for (const url of [frontDoor['DIRECTORY_DATABASE_URL'], eu['DATABASE_URL'], us['DATABASE_URL']])
    await plantInTable(url ?? '', text)
  for (const nats of installation.nats) await plantInStream(nats, text)
  await plantInRedis(frontDoor['REDIS_URL'] ?? '', text)
  await plantInBucket(text)
  // The request id of a caller is logged and traced.
  for (const url of [installation.frontDoor.url, installation.eu.url, installation.us.url])
    await fetch(`${url}/api/health`, { headers: { 'x-request-id': text } })
}

async function plantInTable(url: string, text: string): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  const bytes = Buffer.from(text)
  await client.query('create schema scratch')
  await client.query(
    'create table scratch.planted (as_text text, as_bytes bytea, as_hex text, as_json jsonb, as_list bytea[])',
  )
  const values = [text, bytes, bytes.toString('hex'), { deep: [`x${bytes.toString('base64')}`] }, [bytes]]
  await client.query('insert into scratch.planted values ($1, $2, $3, $4, $5)', values)
  await client.end()
}

async function plantInStream(nats: ObservedNats, text: string): Promise<void> {
  const connection = await observeNats(nats)
  await (await jetstreamManager(connection)).streams.add({ name: 'planted', subjects: ['planted'] })
  await jetstream(connection).publish('planted', `{"secret":"${text}"}`)
  await connection.close()
}

async function plantInRedis(url: string, text: string): Promise<void> {
  const client = new Redis(url)
  await client.set('planted-text', text)
  await client.hset('planted-hash', { field: Buffer.from(`a ${text}`).toString('base64url') })
  await client.set(`planted-key-${text}`, '1')
  client.disconnect()
}

async function plantInBucket(text: string): Promise<void> {
  await forEachBucket((client, Bucket) =>
    client.send(new PutObjectCommand({ Bucket, Key: `planted-${text}`, Body: `before ${text} after` })),
  )
}

/** The buckets are shared with other runs; everything else is removed with the installation. */
export async function removePlanted(text: string): Promise<void> {
  await forEachBucket((client, Bucket) => client.send(new DeleteObjectCommand({ Bucket, Key: `planted-${text}` })))
}

async function forEachBucket(work: (client: S3Client, bucket: string) => Promise<unknown>): Promise<void> {
  for (const { s3 } of [readEngines().eu, readEngines().us]) {
    const { endpoint, region, bucket, accessKeyId, secretAccessKey } = s3
    const credentials = { accessKeyId, secretAccessKey: secretAccessKey.reveal() }
    const client = new S3Client({ endpoint, region, credentials, forcePathStyle: true })
    await work(client, bucket)
    client.destroy()
  }
}
