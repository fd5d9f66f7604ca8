import { describe, expect, test } from 'vitest'
import { errorKeyOf, speakRaw } from './testing/requests.ts'
import { openTestServer, THING } from './testing/server.ts'

const api = await openTestServer()

describe('addresses and methods', () => {
  test.each([
    ['/api/things/', 404, 'request.not_found'],
    ['/API/things', 404, 'request.not_found'],
    ['/api/things/not-an-id', 404, 'request.not_found'],
    [`/api/things/${THING.replace('-', '%2F')}`, 400, 'request.invalid'],
    ['/api/things//x', 400, 'request.invalid'],
    ['/api/%2e%2e%2fthings', 400, 'request.invalid'],
    ['/api/things/%zz', 400, 'request.invalid'],
    ['/api/things?limit=0', 400, 'request.invalid'],
    ['/api/things?limit=1&limit=2', 400, 'request.invalid'],
    ['/api/things?cursor=%zz', 400, 'request.invalid'],
    ['/api/things?limit=5&__proto__=1&constructor=2', 200, undefined],
    ['/api/%74hings', 200, undefined],
    ['/api/open?a=1&a=2', 200, undefined],
  ])('%s is %s %s', async (path, status, key) => {
    const response = await api.send(path)
    expect([response.status, await errorKeyOf(response)]).toEqual([status, key])
    expect(response.headers.get('x-request-id')).not.toBeNull()
  })

  test('an encoded slash is allowed in a source key only', async () => {
    expect((await api.send('/api/files/a%2Fb')).status).toBe(200)
  })

  test('an unsupported method is 405 with the supported ones', async () => {
    const response = await api.send('/api/things', { method: 'PATCH', body: 'x' })
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD, POST'])
    expect(await errorKeyOf(response)).toBe('request.method_not_allowed')
  })

  test('a drain is neither HEAD nor prefetched, and its handler learns whether the answer arrived', async () => {
    const head = await api.send('/api/changes', { method: 'HEAD' })
    expect([head.status, head.headers.get('allow')]).toEqual([405, 'GET'])
    const ahead = await api.send('/api/changes', { headers: { 'sec-purpose': 'prefetch;anonymous-client-ip' } })
    expect([ahead.status, await errorKeyOf(ahead)]).toEqual([405, 'request.method_not_allowed'])
    expect(api.asked).toEqual([])
    expect((await api.send('/api/changes')).status).toBe(200)
    await expect.poll(() => api.closed).toEqual([true])
  })

  test('an absolute request target is accepted', async () => {
    const answer = await speakRaw(api, `GET ${api.url}/api/open HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`)
    expect(answer).toContain('{"status":"ok"}')
  })
})
