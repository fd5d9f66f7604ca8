import { inspect } from 'node:util'
import { expect, expectTypeOf, test } from 'vitest'
import {
  CLIENT_SECRET,
  fakeTime,
  iAm,
  optionsFor,
  refusal,
  startFrontDoor,
  startRegion,
} from '../test/stub-platform.ts'
import { type Reply, startServer } from '../test/stub-server.ts'
import { isSealpostError, NetworkError, SealpostError, ServiceClient, UnexpectedAnswerError } from './index.ts'

test('a refusal has its key, details, request id and the address of its page', async () => {
  const reply = refusal(400, 'request.invalid', { details: [{ path: '/name', message: 'missing' }] })
  const helpUrl = 'https://door.example/docs/errors#request.invalid'
  const headers = { 'x-request-id': 'req-1', link: `<${helpUrl}>; rel="help"` }
  await using region = await startRegion(() => ({ ...reply, headers }))
  await using frontDoor = await startFrontDoor(() => region.url)

  const error = await failureOf(new ServiceClient(optionsFor(frontDoor)))

  expect(error).toBeInstanceOf(SealpostError)
  expect(error).toMatchObject({
    key: 'request.invalid',
    status: 400,
    requestId: 'req-1',
    message: 'A sentence: /name missing (request.invalid, request req-1)',
    retryAfterSeconds: undefined,
    helpUrl,
  })
  if (!isSealpostError(error, 'request.invalid')) throw new Error('not narrowed')
  expectTypeOf(error.details.details).toEqualTypeOf<readonly { readonly path: string; readonly message: string }[]>()
  expect(error.details.details[0]?.path).toBe('/name')
  expect(isSealpostError(error, 'rate.limited')).toBe(false)
  expect(isSealpostError(new Error('other'))).toBe(false)
})

test.each(['teapot.short_and_stout', 'constructor'])('an unknown key (%s) is still a refusal', async (key) => {
  await using region = await startRegion(() => refusal(418, key, { spout: true }))
  await using frontDoor = await startFrontDoor(() => region.url)

  const error = await failureOf(new ServiceClient(optionsFor(frontDoor)))

  expect(error).toMatchObject({ key, details: { spout: true } })
})

const malformed: readonly [what: string, reply: Reply, says: RegExp][] = [
  [
    'an HTML page',
    { status: 404, text: '<html>', headers: { 'content-type': 'text/html' } },
    /answered 404 with text\/html/,
  ],
  [
    'a captive portal',
    { status: 200, text: '<html>', headers: { 'content-type': 'text/html' } },
    /answered 200 with text/,
  ],
  ['half a JSON', { status: 200, text: '{"company_user_id":' }, /JSON that cannot be read/],
  ['an error of another API', { status: 404, json: { message: 'no' } }, /without an error_key/],
  ['a list as an error', { status: 404, json: ['no'] }, /without an error_key/],
  ['an object without the promised members', { status: 200, json: {} }, /without company_user_id, service_id/],
  ['null', { status: 200, json: null }, /without company_user_id, service_id/],
  ['nothing', { status: 200 }, /without company_user_id, service_id/],
]
test.each(malformed)('%s is an UnexpectedAnswerError', async (_, reply, says) => {
  await using region = await startRegion(() => reply)
  await using frontDoor = await startFrontDoor(() => region.url)

  const error = await failureOf(new ServiceClient(optionsFor(frontDoor, fakeTime())))

  expect(error).toBeInstanceOf(UnexpectedAnswerError)
  expect(error).toMatchObject({ status: reply.status, message: expect.stringMatching(says) })
  expect((error as Error).message).toContain('GET http://127.0.0.1')
})

const badTokens: readonly [what: string, json: unknown, says: RegExp][] = [
  ['no api_url', { access_token: 't', expires_in: 3600 }, /api_url is missing; is this the front door/],
  ['an api_url of another scheme', { access_token: 't', expires_in: 3600, api_url: 'file:///etc' }, /the scheme file:/],
  ['no token', { expires_in: 3600, api_url: 'http://127.0.0.1:1' }, /it has no token/],
  [
    'a token with a line break',
    { access_token: 'hush\nhush', expires_in: 3600, api_url: 'http://127.0.0.1:1' },
    /no token/,
  ],
  ['no lifetime', { access_token: 't', expires_in: 'soon', api_url: 'http://127.0.0.1:1' }, /expires_in/],
  ['a list', [], /api_url is missing/],
]
test.each(badTokens)('a token response with %s is refused with the reason', async (_, json, says) => {
  await using frontDoor = await startServer(() => ({ status: 200, json }))

  const error = await failureOf(new ServiceClient(optionsFor(frontDoor)))

  expect(error).toBeInstanceOf(UnexpectedAnswerError)
  expect(error).toMatchObject({ message: expect.stringMatching(says) })
  expect(inspect(error)).not.toContain('hush')
})

test('a front door with https cannot redirect the token to http', async () => {
  const token = { access_token: 't', expires_in: 3600, api_url: 'http://region.example' }
  const json = (): Promise<Response> => Promise.resolve(Response.json(token))
  const options = { frontDoorUrl: 'https://door.example', clientId: 'c', clientSecret: 's', fetch: json }

  await expect(new ServiceClient(options).whoami()).rejects.toThrow('api_url is not https')
})

test.each([301, 302, 303, 307, 308])('a redirect (%i) is not followed, so the token is not sent on', async (status) => {
  await using elsewhere = await startRegion()
  await using region = await startRegion(() => ({ status, headers: { location: `${elsewhere.url}/` } }))
  await using frontDoor = await startFrontDoor(() => region.url)

  const error = await failureOf(new ServiceClient(optionsFor(frontDoor)))

  expect(error).toBeInstanceOf(UnexpectedAnswerError)
  expect(error).toMatchObject({ status, message: expect.stringContaining('redirect') })
  expect(elsewhere.received).toEqual([])
})

test('no answer is a NetworkError with the attempted request', async () => {
  const gone = await startRegion()
  await gone[Symbol.asyncDispose]()

  const error = await failureOf(new ServiceClient(optionsFor(gone, fakeTime())))

  expect(error).toBeInstanceOf(NetworkError)
  expect(error).toMatchObject({ message: expect.stringMatching(/^POST http:.+ was not answered: ECONNREFUSED/) })
})

test('a timeout is a NetworkError', async () => {
  await using frontDoor = await startServer(() => new Promise<Reply>(() => undefined))

  const error = await failureOf(new ServiceClient(optionsFor(frontDoor, { ...fakeTime(), requestTimeoutMs: 20 })))

  expect(error).toMatchObject({ name: 'NetworkError', message: expect.stringContaining('within 20 ms') })
})

test('the log says how long a request was not answered', async () => {
  const time = fakeTime()
  const noFetch = (): Promise<Response> => {
    time.pass(1.5)
    return Promise.reject(new TypeError('fetch failed'))
  }
  await using frontDoor = await startServer(() => iAm())
  const options = optionsFor(frontDoor, { ...time, fetch: noFetch })

  await failureOf(new ServiceClient(options))

  expect(options.events[0]).toMatchObject({ kind: 'unanswered', method: 'POST', durationMs: 1500 })
})

test('neither the client secret nor a token appears anywhere, even if the server sends them back', async () => {
  const secret = `${CLIENT_SECRET}+/ü`
  const shown: unknown[] = []
  const echo = (received: { body: string; headers: unknown }): Reply =>
    refusal(400, 'oauth.invalid_request', { body: received.body, headers: received.headers, secret })
  await using echoingDoor = await startServer(echo)
  await using echoingRegion = await startRegion(echo)
  await using page = await startRegion(({ body }) => ({
    status: 400,
    text: `${body} ${secret}`,
    headers: { 'content-type': 'text/plain' },
  }))
  await using frontDoor = await startFrontDoor(() => echoingRegion.url)
  const log = (event: unknown): void => void shown.push(event)

  for (const door of [echoingDoor, page, frontDoor]) {
    const client = new ServiceClient({ ...optionsFor(door, fakeTime()), clientSecret: secret, log })
    shown.push(client, await failureOf(client), Object.entries(client), Object.getOwnPropertyNames(client))
  }
  const noFetch = (): Promise<Response> => Promise.reject(new TypeError('fetch failed'))
  const offline = new ServiceClient({ ...optionsFor(frontDoor, fakeTime()), clientSecret: secret, fetch: noFetch })
  shown.push(offline, await failureOf(offline))

  const printed = shown.map(
    (thing) => `${inspect(thing, { depth: 20, showHidden: true })}\n${asJson(thing)}\n${String(thing)}`,
  )
  expect(printed.join('\n')).toContain('[secret]')
  for (const form of [CLIENT_SECRET, 'token-1']) expect(printed.join('\n')).not.toContain(form)
})

test('the log has the requests and waits, without query and body', async () => {
  await using region = await startRegion(() => iAm())
  await using frontDoor = await startFrontDoor(() => region.url)
  const options = optionsFor(frontDoor)

  await new ServiceClient(options).whoami()

  expect(options.events.map(({ kind }) => kind)).toEqual(['answered', 'token_renewed', 'answered'])
  expect(options.events[2]).toMatchObject({
    method: 'GET',
    address: `${region.url}/api/company-data/whoami`,
    status: 200,
  })
})

function failureOf(client: ServiceClient): Promise<unknown> {
  return client.whoami().then(
    () => new Error('was answered'),
    (error: unknown) => error,
  )
}

function asJson(thing: unknown): string {
  return JSON.stringify(thing, Object.getOwnPropertyNames(thing)) + JSON.stringify(thing)
}
