import { afterEach, expect, test } from 'vitest'
import { startTestServer, type TestServer } from './testing/server.ts'

let api: TestServer
afterEach(() => api.close())

async function listen(signal?: AbortSignal): Promise<ReadableStreamDefaultReader<Uint8Array>> {
  const answer = await api.send('/api/events', signal === undefined ? {} : { signal })
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8'])
  const reader = answer.body?.getReader()
  if (reader === undefined) throw new Error('a stream has a body')
  return reader
}

const textOf = async (reader: ReadableStreamDefaultReader<Uint8Array>) =>
  Buffer.from((await reader.read()).value ?? []).toString()

test('an event is sent at once, and the stream ends when the server says so', async () => {
  api = await startTestServer()
  const reader = await listen()
  api.streams[0]?.write('data: one\n\n')
  expect(await textOf(reader)).toBe('data: one\n\n')
  api.streams[0]?.end('data: last\n\n')
  expect(await textOf(reader)).toBe('data: last\n\n')
  expect((await reader.read()).done).toBe(true)
  await expect.poll(() => api.closed).toHaveLength(1)
})

test('streams are no calls in flight', async () => {
  api = await startTestServer({ inflight: { callerCalls: 1 } })
  const readers = [await listen(), await listen(), await listen()]
  expect((await api.send('/api/tagged')).status).toBe(200)
  for (const stream of api.streams) stream.end('')
  for (const reader of readers) expect((await reader.read()).done).toBe(true)
})

test('a reader who leaves is no failure: the log has status 200', async () => {
  api = await startTestServer()
  const leaving = new AbortController()
  await listen(leaving.signal)
  leaving.abort()
  await expect.poll(() => api.closed).toHaveLength(1)
  const line = api.telemetry.lines().find((found) => found['operation'] === 'test.read_events')
  expect(line).toMatchObject({ status: 200, error_key: null })
})

test('HEAD answers the head and opens nothing', async () => {
  api = await startTestServer()
  expect((await api.send('/api/events', { method: 'HEAD' })).status).toBe(200)
  expect(api.streams).toEqual([])
})
