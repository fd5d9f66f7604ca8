import { createHash, randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { fakeTime, refusal, startRegion } from '../../test/stub-platform.ts'
import { fileReply, newServiceKey, startStubService } from '../../test/stub-service.ts'
import { ContentMismatchError, EnvelopeError, isSealpostError, SealingError, UnexpectedAnswerError } from '../index.ts'

const URL_OF_FILE =
  '/api/company-data/connections/0196a8c4-5e6f-7a10-8b2c-3d4e5f607182/slots/0196a8c4-5e6f-7a10-8b2c-3d4e5f607183/file'
const PDF = Buffer.from('%PDF-1.7 planted')
const dataUri = (bytes: Uint8Array, type: string): string =>
  `data:${type};base64,${Buffer.from(bytes).toString('base64')}`
const DOCUMENT = JSON.stringify({
  file: dataUri(PDF, 'application/pdf'),
  original_name: 'lease.pdf',
  mime_type: 'application/pdf',
  size: PDF.length,
  name: 'Lease',
})
const PASSPORT = JSON.stringify({
  pages: [
    { file: dataUri(PDF, 'image/png'), label: 'front', original_name: 'front.png' },
    { file: dataUri(PDF, 'image/png'), label: 'back' },
  ],
  name: 'Ana Gil',
  document_number: 'X123',
  expiry_date: '2031-04-01',
  issuing_country: 'ES',
})

test('a plain file is recognised by its Content-Type and returned unchanged, with its digest checked [SDK-06] [SDK-07]', async () => {
  const bytes = randomBytes(300_000)
  await using service = await startStubService(() => fileReply(bytes, 'image/jpeg'))

  const file = await service.client.files.open(URL_OF_FILE)
  expect(file).toMatchObject({ kind: 'raw', contentType: 'image/jpeg', sha256: sha256(bytes) })
  const whole = await service.client.files.read(URL_OF_FILE)
  expect(whole.text).toBeNull()
  expect(Buffer.from(whole.files[0]?.bytes ?? []).equals(bytes)).toBe(true)
  expect(service.region.received[0]).toMatchObject({ method: 'GET', path: URL_OF_FILE })
})

test('JSON with encrypted true is opened with the key [SDK-06] [SDK-07]', async () => {
  const { key, seal } = await newServiceKey()
  const answer = JSON.stringify({ encrypted: true, value: await seal(DOCUMENT) })
  await using service = await startStubService(() => fileReply(answer, 'application/json; charset=utf-8'))

  const { kind, text, files, name } = await service.client.files.read(URL_OF_FILE, key)
  expect({ kind, text, name }).toEqual({ kind: 'sealed', text: DOCUMENT, name: 'Lease' })
  expect(files).toEqual([
    { part: 'file', bytes: new Uint8Array(PDF), mimeType: 'application/pdf', originalName: 'lease.pdf', label: null },
  ])
  await expect(service.client.files.read(URL_OF_FILE)).rejects.toThrow('give the ServiceKey')
  const other = await newServiceKey()
  await expect(service.client.files.read(URL_OF_FILE, other.key)).rejects.toBeInstanceOf(SealingError)
})

test('JSON with encrypted false is the envelope in the clear, with pages and entries [SDK-06]', async () => {
  const answer = JSON.stringify({ encrypted: false, value: PASSPORT })
  await using service = await startStubService(() => fileReply(answer, 'application/json'))

  const { kind, text, files, name, entries } = await service.client.files.read(URL_OF_FILE)
  expect({ kind, text, name }).toEqual({ kind: 'clear', text: PASSPORT, name: 'Ana Gil' })
  expect(entries).toEqual({ document_number: 'X123', expiry_date: '2031-04-01', issuing_country: 'ES' })
  expect(files.map(({ part, label, originalName }) => ({ part, label, originalName }))).toEqual([
    { part: 'page', label: 'front', originalName: 'front.png' },
    { part: 'page', label: 'back', originalName: null },
  ])
})

test('a wrapper that is an object opens as well', async () => {
  const { key, seal } = await newServiceKey()
  const answer = JSON.stringify({ encrypted: true, value: JSON.parse(await seal(DOCUMENT)) })
  await using service = await startStubService(() => fileReply(answer, 'application/json'))

  expect((await service.client.files.read(URL_OF_FILE, key)).text).toBe(DOCUMENT)
})

test.each(['{"invoice":7}', '[1,2]', 'not even JSON'])('a shared file may itself be JSON: %s', async (content) => {
  await using service = await startStubService(() => fileReply(content, 'application/json'))

  const { kind, files } = await service.client.files.read(URL_OF_FILE)
  expect(kind).toBe('raw')
  expect(Buffer.from(files[0]?.bytes ?? []).toString()).toBe(content)
})

test.each(['image/jpeg', 'application/json'])(
  'bytes that do not match the announced digest are refused (%s) [SDK-07]',
  async (contentType) => {
    const announced = sha256(Buffer.from('{"encrypted":false,"value":"{}"}'))
    const { headers } = fileReply('{"encrypted":false,"value":"{}"}', contentType)
    await using service = await startStubService(() => ({
      status: 200,
      text: '{"encrypted":false,"value":"{ }"}',
      headers: { ...headers },
    }))

    const error = await service.client.files.read(URL_OF_FILE).catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(ContentMismatchError)
    expect(error).toMatchObject({ announced, message: expect.stringContaining('read it again') })
  },
)

test('a stream fails at its end when the content does not match its digest [SDK-07]', async () => {
  const bytes = randomBytes(100_000)
  const { headers } = fileReply(bytes, 'image/png')
  await using service = await startStubService(() => ({
    status: 200,
    parts: [bytes.subarray(0, 60_000)],
    headers: { ...headers },
  }))

  const file = await service.client.files.open(URL_OF_FILE)
  if (file.kind !== 'raw') throw new Error('not raw')
  let received = 0
  const reading = (async () => {
    for await (const part of file.stream) received += part.length
  })()
  await expect(reading).rejects.toBeInstanceOf(ContentMismatchError)
  expect(received).toBe(60_000)
})

test('a file is streamed while it is received', async () => {
  const { promise: rest, resolve: sendRest } = Promise.withResolvers<Uint8Array>()
  const [first, second] = [Buffer.from('first part '), Buffer.from('second part')]
  async function* parts(): AsyncGenerator<Uint8Array> {
    yield first
    yield await rest
  }
  const digest = sha256(Buffer.concat([first, second]))
  const headers = { 'content-type': 'text/plain', 'x-platform-content-sha256': digest }
  await using service = await startStubService(() => ({ status: 200, parts: parts(), headers }))

  const file = await service.client.files.open(URL_OF_FILE)
  if (file.kind !== 'raw') throw new Error('not raw')
  const reader = file.stream.getReader()
  expect(Buffer.from((await reader.read()).value ?? []).toString()).toBe('first part ')
  sendRest(second)
  expect(Buffer.from((await reader.read()).value ?? []).toString()).toBe('second part')
  expect(await reader.read()).toMatchObject({ done: true })
})

test('an answer without a digest cannot be checked and is refused [SDK-07]', async () => {
  await using service = await startStubService(() => ({ status: 200, text: 'x', headers: { 'content-type': 'a/b' } }))

  await expect(service.client.files.open(URL_OF_FILE)).rejects.toBeInstanceOf(UnexpectedAnswerError)
})

test('the header may have another vendor word', async () => {
  const { headers = {}, ...reply } = fileReply('x', 'text/plain')
  const renamed = { 'content-type': 'text/plain', 'x-acme-content-sha256': headers['x-platform-content-sha256'] ?? '' }
  await using service = await startStubService(() => ({ ...reply, headers: renamed }))

  expect((await service.client.files.read(URL_OF_FILE)).kind).toBe('raw')
})

test('an expired file is refused by key, with its digest and its expiry', async () => {
  const details = { content_sha256: 'ab'.repeat(32), expired_at: '2026-08-01T09:30:00.000+00:00' }
  await using service = await startStubService(() => refusal(410, 'company_data.file_expired', details))

  const error = await service.client.files.open(URL_OF_FILE).catch((reason: unknown) => reason)
  if (!isSealpostError(error, 'company_data.file_expired')) throw new Error('another error')
  expect(error.details.content_sha256).toBe(details.content_sha256)
  expect(error.details.expired_at).toBe(details.expired_at)
})

test('a value_url of another origin, or of another route, gets no token', async () => {
  await using elsewhere = await startRegion()
  await using service = await startStubService(() => fileReply('x', 'text/plain'))
  const { pathname } = new URL(URL_OF_FILE, service.region.url)
  const wrong = [
    `${elsewhere.url}${pathname}`,
    `//127.0.0.1:1${pathname}`,
    'https://evil.example/x',
    '/api/company-data/changes',
    `${pathname}/../../../../changes`,
    `${pathname}?listener=x`,
    'javascript:alert(1)',
    '',
  ]
  for (const url of wrong) {
    await expect(service.client.files.open(url)).rejects.toThrow('not the address of a file')
  }
  expect(elsewhere.received).toEqual([])
  expect(service.region.received).toEqual([])
  await service.client.files.open(`${service.region.url}${pathname}`)
})

test('a read that broke off is repeated', async () => {
  const time = fakeTime()
  const good = fileReply(JSON.stringify({ encrypted: false, value: DOCUMENT }), 'application/json')
  await using service = await startStubService((_, count) => (count === 1 ? { status: 200, hangUp: true } : good), time)

  expect((await service.client.files.read(URL_OF_FILE)).text).toBe(DOCUMENT)
  expect(time.waitedSeconds).toEqual([0.5])
})

test.each(['[]', '{"file":"not a data URI"}', '{"pages":{}}', 'no JSON'])(
  'an invalid envelope is an error that does not quote it: %s',
  async (envelope) => {
    const answer = JSON.stringify({ encrypted: false, value: envelope })
    await using service = await startStubService(() => fileReply(answer, 'application/json'))

    const error = await service.client.files.read(URL_OF_FILE).catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(EnvelopeError)
    expect(String(error)).not.toContain(envelope)
  },
)

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}
