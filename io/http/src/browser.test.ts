import { defineOperation } from '@sealpost/protocol'
import { openGates } from '@sealpost/testkit/open-gates'
import Type from 'typebox'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { answer, page, redirect } from './answer.ts'
import { bindRoute } from './bind-route.ts'
import type { HttpServer } from './http-server.ts'
import { openServer } from './server.ts'
import { readOpen } from './testing/operations.ts'
import { startTestServer } from './testing/server.ts'

const decide = defineOperation({
  id: 'test.decide',
  method: 'POST',
  path: '/oauth2/decide',
  document: 'front-door',
  summary: 'A route for browsers and programs',
  callers: [],
  rate: null,
  bodyType: 'form_or_json',
  body: Type.Object({ wish: Type.String({ minLength: 1 }) }),
  success: { status: 200, about: 'Done', body: Type.Object({ wish: Type.String() }), browser: true },
  errors: ['oauth.invalid_request'],
})

let server: HttpServer
let url: string

beforeAll(async () => {
  const api = await startTestServer()
  await api.close()
  server = openServer({ ...api.server.options, strictContract: true })
  bindRoute(server, openGates, {
    operation: decide,
    handle({ body: { wish } }) {
      if (wish === 'page') return page(401, '<p>no</p>', { 'x-frame-options': 'DENY' })
      if (wish === 'redirect') return redirect(303, 'https://client.example/?a=b')
      return wish === 'later' ? answer({ wish }, { status: 202 }) : { wish }
    },
  })
  const cheat: () => never = () => page(200, 'not promised') as never
  bindRoute(server, openGates, { operation: readOpen, handle: cheat })
  url = await server.listen({ host: '127.0.0.1', port: 0 })
})
afterAll(() => server.close(1000))

describe('a route for browsers and programs', () => {
  test('accepts a form and JSON, and checks both', async () => {
    for (const body of [new URLSearchParams({ wish: 'x' }), JSON.stringify({ wish: 'x' })]) {
      const told = await send(body)
      expect([told.status, await told.json()]).toEqual([200, { wish: 'x' }])
    }
    expect(await (await send(new URLSearchParams({ wish: '' }))).json()).toMatchObject({
      error_key: 'oauth.invalid_request',
    })
    expect(await (await send('{"wish":""}')).json()).toMatchObject({ error_key: 'request.invalid' })
    const neither = await fetch(`${url}/oauth2/decide`, {
      method: 'POST',
      body: 'x',
      headers: { 'content-type': 'text/plain' },
    })
    expect(neither.status).toBe(415)
  })

  test('answers a page or a redirect with the house headers', async () => {
    const shown = await send(new URLSearchParams({ wish: 'page' }))
    expect([shown.status, await shown.text(), shown.headers.get('x-frame-options')]).toEqual([401, '<p>no</p>', 'DENY'])
    expect(shown.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect([shown.headers.get('cache-control'), shown.headers.get('x-request-id')]).toEqual([
      'no-store',
      expect.any(String),
    ])
    const led = await send(new URLSearchParams({ wish: 'redirect' }))
    expect([led.status, led.headers.get('location'), await led.text()]).toEqual([
      303,
      'https://client.example/?a=b',
      '',
    ])
  })

  test('may succeed with another status', async () => {
    const later = await send(new URLSearchParams({ wish: 'later' }))
    expect([later.status, await later.json()]).toEqual([202, { wish: 'later' }])
  })

  test('a page where the operation declares none is an internal error', async () => {
    expect((await fetch(`${url}/api/open`)).status).toBe(500)
  })
})

function send(body: URLSearchParams | string): Promise<Response> {
  const headers = typeof body === 'string' ? { 'content-type': 'application/json' } : {}
  return fetch(`${url}/oauth2/decide`, { method: 'POST', body, headers, redirect: 'manual' })
}
