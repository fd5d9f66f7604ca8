import { describe, expect, test } from 'vitest'
import { errorKeyOf, speakRaw } from '../testing/requests.ts'
import { openTestServer } from '../testing/server.ts'

const api = await openTestServer()

describe('bodies', () => {
  const send = (body: string, headers: Record<string, string>) =>
    api.send('/api/things', { method: 'POST', headers, body })
  const json = { 'content-type': 'application/json' }

  test.each([
    ['{"name":"x"}', { 'content-type': 'text/plain' }, 415, 'request.unsupported_media_type'],
    ['{"name":"x"}', { 'content-type': 'application/json; charset=utf-16' }, 415, 'request.unsupported_media_type'],
    ['{"name":"x"}', { ...json, 'content-encoding': 'gzip' }, 415, 'request.unsupported_media_type'],
    ['name=x', { 'content-type': 'application/x-www-form-urlencoded' }, 415, 'request.unsupported_media_type'],
    ['', json, 400, 'request.invalid'],
    ['{"name":', json, 400, 'request.invalid'],
    ['{"name":1}', json, 400, 'request.invalid'],
    ['{"name":"x","count":"1"}', json, 400, 'request.invalid'],
    ['{"name":"x","count":1e999}', json, 400, 'request.invalid'],
    ['[]', json, 400, 'request.invalid'],
    ['null', json, 400, 'request.invalid'],
    [
      '{"name":"x","unknown":1,"__proto__":{"count":"x"}}',
      { 'content-type': 'Application/JSON; charset=UTF-8' },
      201,
      undefined,
    ],
  ])('%s with %j is %s', async (body, headers, status, key) => {
    const response = await send(body, headers)
    expect([response.status, await errorKeyOf(response)]).toEqual([status, key])
  })

  test('a body over the limit is refused before it is read', async () => {
    const response = await send(`{"name":"${'x'.repeat(5000)}"}`, json)
    expect([response.status, await errorKeyOf(response)]).toEqual([413, 'request.too_large'])
  })

  test('an unread body does not break the connection for the next request', async () => {
    const unread = `POST /api/things HTTP/1.1\r\nHost: x\r\nContent-Length: 100000\r\n\r\n${'x'.repeat(100_000)}`
    const next = 'GET /api/open HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'
    const answers = await speakRaw(api, unread + next)
    expect(answers.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 401', 'HTTP/1.1 200'])
  })

  test('a caller who leaves while a gate is waiting leaves no listener behind', async () => {
    const gate = Promise.withResolvers<void>()
    const asked = Promise.withResolvers<void>()
    api.waitAtHome = () => {
      asked.resolve()
      return gate.promise
    }
    const controller = new AbortController()
    const init = { method: 'POST', headers: json, body: '{"name":"x"}', signal: controller.signal }
    const call = api.send('/api/things', init).catch((error: unknown) => error)
    await asked.promise
    controller.abort()
    await call
    const told = () => api.telemetry.lines().filter((line) => line['status'] === 499)
    await expect.poll(() => told().length).toBe(1)
    const ended = api.telemetry.spans().length
    gate.resolve()
    await expect.poll(() => api.telemetry.spans().length).toBe(ended + 1)
    expect(api.asked).not.toContain('handle')
  })

  test('a body without an end is cut at the limit', async () => {
    const endless = new ReadableStream(
      {
        pull: (controller) => controller.enqueue(new Uint8Array(1024).fill(0x20)),
      },
      { highWaterMark: 0 },
    )
    const limited = endless.pipeThrough(new TransformStream({ transform: limitTo(200) }))
    const response = await api.send('/api/things', {
      method: 'POST',
      headers: json,
      body: limited,
      duplex: 'half',
    })
    expect([response.status, await errorKeyOf(response)]).toEqual([413, 'request.too_large'])
  })

  function limitTo(chunks: number) {
    let sent = 0
    return (chunk: Uint8Array, controller: TransformStreamDefaultController) => {
      if ((sent += 1) > chunks) controller.terminate()
      else controller.enqueue(chunk)
    }
  }
})
