import { once } from 'node:events'
import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { startTestServer } from './testing/server.ts'

test.each([[[]], [['127.0.0.0/8']]])(
  'a caller who leaves before the limits is counted there and is no error, with proxies %j',
  async (trustedProxies) => {
    const api = await startTestServer({ trustedProxies })
    const left = Promise.withResolvers<void>()
    const reached = Promise.withResolvers<void>()
    api.waitAtHome = () => {
      reached.resolve()
      return left.promise
    }
    const caller = connect(Number(new URL(api.url).port), '127.0.0.1')
    caller.on('error', () => {})
    caller.write('GET /api/tagged HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer good\r\n\r\n')
    await reached.promise
    caller.resetAndDestroy()
    await once(caller, 'close')
    await expect.poll(() => api.telemetry.lines().some((line) => line['status'] === 499)).toBe(true)
    left.resolve()
    await expect.poll(() => api.addresses).toEqual(['127.0.0.1'])
    await expect.poll(() => api.telemetry.spans().length).toBe(1)
    expect(api.telemetry.lines().filter(({ level }) => level === 'error' || level === 'warn')).toEqual([])
    await api.close()
  },
)
