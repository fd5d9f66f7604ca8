import { openGates } from '@sealpost/testkit/open-gates'
import { describe, expect, test } from 'vitest'
import { answer } from './answer.ts'
import { bindRoute } from './bind-route.ts'
import { openServer } from './server.ts'
import { readTagged } from './testing/operations.ts'
import { errorKeyOf } from './testing/requests.ts'
import { openTestServer } from './testing/server.ts'

const api = await openTestServer()
const path = '/api/tagged'

function ask(tag: string | null, accept = 'application/json', method = 'GET'): Promise<Response> {
  return api.send(path, { method, headers: { accept, ...(tag === null ? {} : { 'if-none-match': tag }) } })
}

describe('a route that revalidates', () => {
  test('answers its body with the tag of its state and how long it may be kept', async () => {
    const response = await ask(null)
    expect(await response.json()).toEqual(['a', 'b'])
    expect([response.headers.get('etag'), response.headers.get('cache-control')]).toEqual(['"v1"', 'max-age=300'])
  })

  test.each(['"v1"', 'W/"v1"', '"v0", "v1"', '*'])('answers 304 and no body to a caller that holds %s', async (tag) => {
    const response = await ask(tag)
    expect([response.status, await response.text()]).toEqual([304, ''])
    expect(response.headers.get('content-type')).toBeNull()
    expect(response.headers.get('etag')).toBe('"v1"')
    expect(response.headers.get('cache-control')).toBe('max-age=300')
    expect(response.headers.get('vary')).toBe('Accept, Origin')
  })

  test.each(['"v0"', 'v1', '"v1-xml"'])('answers in full to a caller that holds %s', async (tag) => {
    expect((await ask(tag)).status).toBe(200)
  })

  test('has another tag for XML, so that a cache never mixes the formats', async () => {
    const xml = await ask('"v1"', 'application/xml')
    expect([xml.status, xml.headers.get('etag')]).toEqual([200, '"v1-xml"'])
    expect((await ask('"v1-xml"', 'application/xml')).status).toBe(304)
  })

  test('answers HEAD alike', async () => {
    expect((await ask(null, 'application/json', 'HEAD')).headers.get('etag')).toBe('"v1"')
    expect((await ask('"v1"', 'application/json', 'HEAD')).status).toBe(304)
  })

  test('reveals nothing to a caller without a token', async () => {
    const refused = await api.send(path, { headers: { authorization: 'Bearer old', 'if-none-match': '"v1"' } })
    expect([refused.status, await errorKeyOf(refused)]).toEqual([401, 'auth.expired'])
  })
})

test('a handler that omits the declared tag is an internal error', async () => {
  const server = openServer(api.server.options)
  bindRoute(server, openGates, { operation: readTagged, handle: () => answer([], {}) })
  const url = await server.listen({ host: '127.0.0.1', port: 0 })
  const response = await fetch(url + path)
  expect([response.status, await errorKeyOf(response)]).toEqual([500, 'platform.internal_error'])
  await server.close(1000)
})
