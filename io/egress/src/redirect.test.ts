import { expect, onTestFinished, test } from 'vitest'
import { followRedirect } from './redirect.ts'
import { getRequest, openTestEgress, startHttp } from './test-server.ts'

const headers = { authorization: 'Bearer x', 'x-secret': 'y', 'user-agent': 'ours', 'content-type': 'text/plain' }
const post = getRequest('https://a.example/in', { method: 'POST', headers, body: 'text' })

test('by default a redirect is an answer like any other', async () => {
  const server = await startHttp((_request, response) => void response.writeHead(302, { location: '/next' }).end())
  onTestFinished(() => server.close())
  expect(await openTestEgress().send(getRequest(server.url))).toMatchObject({ ok: true, value: { status: 302 } })
})

test('as many redirects are followed as are allowed, and not one more', async () => {
  const server = await startHttp((request, response) => {
    const step = Number(request.url?.slice(1) ?? 0)
    if (step === 3) response.end('arrived')
    else response.writeHead(302, { location: `/${step + 1}` }).end()
  })
  onTestFinished(() => server.close())
  const send = (redirects: number) => openTestEgress().send(getRequest(server.url, { redirects }))
  expect(await send(3)).toMatchObject({ ok: true, value: { status: 200 } })
  expect(await send(2)).toMatchObject({ ok: false, refusal: { kind: 'refused', reason: 'redirect_limit' } })
})

test('only harmless headers are sent to another origin', () => {
  expect(followRedirect(post, 307, 'https://b.example/').headers).toEqual({
    'user-agent': 'ours',
    'content-type': 'text/plain',
  })
  expect(followRedirect(post, 307, '/elsewhere').headers).toEqual(headers)
})

test('the method and the body are kept or removed as HTTP defines', () => {
  for (const status of [301, 302, 303]) {
    const next = followRedirect(post, status, '/next')
    expect(next).toMatchObject({ method: 'GET', url: 'https://a.example/next' })
    expect(next.body).toBeUndefined()
    expect(next.headers).not.toHaveProperty('content-type')
  }
  for (const status of [307, 308]) {
    expect(followRedirect(post, status, '/next')).toMatchObject({ method: 'POST', body: 'text' })
  }
  expect(followRedirect({ ...post, method: 'HEAD' }, 303, '/next').method).toBe('HEAD')
})

test('a redirect from https to http is refused', () => {
  expect(() => followRedirect(post, 302, 'http://a.example/')).toThrow('from https to http')
})
