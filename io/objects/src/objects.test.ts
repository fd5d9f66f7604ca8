import { createServer, type RequestListener, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { readSettings, Secret } from '@sealpost/kernel'
import { expect, onTestFinished, test } from 'vitest'
import { objectKey } from './object-key.ts'
import { openObjects, type Objects } from './objects.ts'
import type { Patience } from './patience.ts'
import { objectsPlace, objectsSettings, type ObjectsPlace } from './settings.ts'
import { sha256Of } from './sha256.ts'
import { type SocketLimits, StorageBusyError } from './sockets.ts'

const random = { bytes: (length: number) => new Uint8Array(length).fill(0xab) }
const key = objectKey(random)
const content = Buffer.from('sealed')
const contentType = 'text/plain'

/** A server with faults that a real one cannot be made to have. */
async function openAgainst(
  handler: RequestListener,
  patience: Partial<Patience> = {},
  limits: Partial<SocketLimits> = {},
): Promise<Objects> {
  const server = createServer(handler)
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const objects = openObjects(placeAt(`http://127.0.0.1:${port}`), patience, limits)
  onTestFinished(() => {
    objects.close()
    server.close()
    server.closeAllConnections()
  })
  return objects
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}

function placeAt(endpoint: string): ObjectsPlace {
  const secretAccessKey = new Secret('secret')
  return { endpoint, region: 'eu-1', bucket: 'sealed', accessKeyId: 'access', secretAccessKey, forcePathStyle: true }
}

test('an upload sends its MD5 and SHA-256 and uses no trailer', async () => {
  const seen: Record<string, unknown>[] = []
  const objects = await openAgainst((request, response) => {
    seen.push(request.headers)
    request.resume().on('end', () => response.end())
  })
  const sha256 = sha256Of(content)
  await objects.put(key, content, { contentType })
  await objects.putStream(key, once(content), { contentType, sha256, sizeBytes: 6 })
  expect(seen[0]).toMatchObject({ 'content-md5': 'C+rYhIA/6MVkPdoNy5SxvA==' })
  for (const headers of seen) {
    expect(headers).toMatchObject({
      'x-amz-content-sha256': sha256,
      'content-length': '6',
      'content-type': contentType,
    })
    expect(Object.keys(headers).filter((name) => /trailer|checksum|decoded/.test(name))).toEqual([])
  }
})

test('a failing server is retried a limited number of times', async () => {
  let requests = 0
  const objects = await openAgainst((request, response) => {
    requests += 1
    request.resume().on('end', () => response.writeHead(503).end())
  })
  await expect(objects.put(key, content, { contentType })).rejects.toMatchObject({ status: 503 })
  expect(requests).toBe(3)
})

test('a server that accepts and never answers times out', async () => {
  const objects = await openAgainst(() => {}, { silenceMs: 50, attempts: 2 })
  await expect(objects.head(key)).rejects.toThrow('object storage: head failed (TimeoutError)')
})

test('an answer that stops in the middle is an error, not a short object', async () => {
  const objects = await openAgainst(
    (_request, response) => void response.writeHead(200, { 'content-length': 6 }).write('sea'),
    { silenceMs: 50, attempts: 1 },
  )
  const reading = objects.get(key, { sha256: sha256Of(content), maxBytes: 100 })
  await expect(reading).rejects.toThrow('object storage: get failed')
})

/** More than the buffers of a connection hold. */
const large = Buffer.alloc(16_000_000, 'x')

function serveLarge(_request: unknown, response: ServerResponse): void {
  response.writeHead(200, { 'content-length': large.byteLength }).end(large)
}

test('a reader may pause for longer than the server may be silent', async () => {
  const silenceMs = 300
  const objects = await openAgainst(serveLarge, { silenceMs, attempts: 1 })
  const opened = await objects.open(key, sha256Of(large))
  let bytes = 0
  for await (const chunk of opened.ok ? opened.value.bytes : []) {
    if (bytes === 0) {
      const paused = performance.now()
      await expect.poll(() => performance.now() - paused).toBeGreaterThan(5 * silenceMs)
    }
    bytes += chunk.byteLength
  }
  expect(bytes).toBe(large.byteLength)
})

test('downloads that are not read leave connections to uploads, and are refused in time when they have none left', async () => {
  const objects = await openAgainst(
    (request, response) => {
      if (request.method === 'GET') serveLarge(request, response)
      else request.resume().on('end', () => response.end())
    },
    { silenceMs: 60_000 },
    { sockets: 4, waitMs: 50 },
  )
  const sha256 = sha256Of(large)
  const [first] = [await objects.open(key, sha256), await objects.open(key, sha256), await objects.open(key, sha256)]
  await expect(objects.open(key, sha256)).rejects.toThrow(StorageBusyError)
  await expect(objects.open(key, sha256)).rejects.toMatchObject({ code: 'NoFreeConnection', state: 'busy' })
  expect((await objects.put(key, content, { contentType })).ok).toBe(true)

  let bytes = 0
  for await (const chunk of first.ok ? first.value.bytes : []) bytes += chunk.byteLength
  expect(bytes).toBe(large.byteLength)
  expect((await objects.open(key, sha256)).ok).toBe(true)
})

test('a presigned URL has the address under which other regions reach the server', async () => {
  const place = { ...placeAt('http://s3.internal:9000'), presignEndpoint: 'https://s3.eu.example' }
  const url = new URL((await openObjects(place).presignGet(key, 300)).reveal())
  expect(`${url.origin}${url.pathname}`).toBe(`https://s3.eu.example/sealed/${key}`)
  expect(url.searchParams.get('X-Amz-Expires')).toBe('300')
})

test('the place is read from settings', () => {
  const environment = { S3_ENDPOINT: 'http://s3', S3_BUCKET: 'b', S3_ACCESS_KEY_ID: 'a', S3_SECRET_ACCESS_KEY: 's' }
  const place = objectsPlace(readSettings(objectsSettings, environment))
  expect(place).toMatchObject({ endpoint: 'http://s3', bucket: 'b', region: 'us-east-1', forcePathStyle: true })
  expect(place).not.toHaveProperty('presignEndpoint')
})
