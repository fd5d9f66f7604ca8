import { expect, test } from 'vitest'
import { fakeTime, iAm, inTurn, optionsFor, refusal, startFrontDoor, startRegion, WHO } from '../test/stub-platform.ts'
import { type Reply, type StubServer, startServer } from '../test/stub-server.ts'
import { call } from './call.ts'
import { openCaller } from './caller.ts'
import { ServiceClient } from './index.ts'
import type { Route } from './route.ts'

const createThing: Route<{ body: { name: string } }, { id: string }> = {
  method: 'POST',
  path: '/api/company-data/things',
  creates: true,
  answers: ['id'],
}
const changeThing: Route<{ params: { id: string }; query?: { mode?: string }; body: { name: string } }, void> = {
  method: 'PUT',
  path: '/api/company-data/things/{id}',
  answers: [],
}

test.each([
  ['db.writes_paused', 30],
  ['platform.out_of_order', 300],
])(
  'after %s the same call is repeated after the %i seconds that the platform asks for [SDK-14]',
  async (key, seconds) => {
    const time = fakeTime()
    const paused = refusal(503, key, {}, { 'retry-after': String(seconds) })
    await using region = await startRegion(inTurn(paused, paused, iAm()))
    await using frontDoor = await startFrontDoor(() => region.url)

    expect(await new ServiceClient(optionsFor(frontDoor, time)).whoami()).toEqual(WHO)

    expect(time.waitedSeconds).toEqual([seconds, seconds])
    const calls = region.received.map(({ method, path, body, headers }) => [
      method,
      path,
      body,
      headers['authorization'],
    ])
    expect(calls).toEqual([calls[0], calls[0], calls[0]])
  },
)

test('a creating call is repeated with the same body and the same Idempotency-Key', async () => {
  const time = fakeTime()
  const replies = [
    refusal(503, 'db.writes_paused', {}, { 'retry-after': '30' }),
    refusal(503, 'region.unreachable', {}, { 'retry-after': '5' }),
    refusal(429, 'rate.limited', {}, { 'retry-after': '17' }),
    { status: 201, json: { id: 'x' } },
  ]
  await using region = await startRegion(inTurn(...replies))
  await using frontDoor = await startFrontDoor(() => region.url)
  const caller = openCaller(optionsFor(frontDoor, time))

  expect(await call(caller, createThing, { body: { name: 'n' } })).toEqual({ id: 'x' })

  expect(time.waitedSeconds).toEqual([30, 5, 17])
  expect(new Set(region.received.map(({ headers }) => headers['idempotency-key'])).size).toBe(1)
  expect(region.received[0]?.headers['idempotency-key']).toMatch(/^[\x21-\x7e]{1,255}$/)
  expect(region.received.map(({ body }) => body)).toEqual(Array.from({ length: 4 }, () => '{"name":"n"}'))
  expect(new Set(region.received.map(({ headers }) => headers['x-request-id'])).size).toBe(4)
})

test('a call is repeated three times at most, also across a new token and a new address', async () => {
  const limited = refusal(429, 'rate.limited', {}, { 'retry-after': '1' })
  await using us = await startRegion(() => limited)
  await using eu = await startRegion(
    inTurn(limited, refusal(401, 'auth.expired'), refusal(421, 'region.rebase_required', { api_url: us.url })),
  )
  await using frontDoor = await startFrontDoor(() => eu.url)
  const time = fakeTime()

  const failed = new ServiceClient(optionsFor(frontDoor, time)).whoami()

  await expect(failed).rejects.toMatchObject({ key: 'rate.limited', status: 429, retryAfterSeconds: 1 })
  expect(time.waitedSeconds).toEqual([1, 1, 1])
})

test('a wait longer than maxWaitSeconds throws the error at once', async () => {
  await using region = await startRegion(() => refusal(503, 'platform.out_of_order', {}, { 'retry-after': '300' }))
  await using frontDoor = await startFrontDoor(() => region.url)
  const time = fakeTime()

  const failed = new ServiceClient(optionsFor(frontDoor, { ...time, maxWaitSeconds: 299 })).whoami()

  await expect(failed).rejects.toMatchObject({ key: 'platform.out_of_order', retryAfterSeconds: 300 })
  expect(time.waitedSeconds).toEqual([])
  expect(region.received).toHaveLength(1)
})

test('the signal of a call ends its wait', async () => {
  await using region = await startRegion(() => refusal(503, 'platform.out_of_order', {}, { 'retry-after': '300' }))
  await using frontDoor = await startFrontDoor(() => region.url)
  const controller = new AbortController()
  const log = ({ kind }: { kind: string }): void => {
    if (kind === 'waiting') controller.abort(new Error('stop'))
  }

  const failed = new ServiceClient(optionsFor(frontDoor, { log })).whoami({ signal: controller.signal })

  await expect(failed).rejects.toThrow('stop')
})

test('Retry-After may be a date', async () => {
  const time = fakeTime()
  const inAMinute = new Date(time.clock.now() + 60_000).toUTCString()
  await using region = await startRegion(inTurn(refusal(429, 'rate.limited', {}, { 'retry-after': inAMinute }), iAm()))
  await using frontDoor = await startFrontDoor(() => region.url)

  await new ServiceClient(optionsFor(frontDoor, time)).whoami()

  expect(time.waitedSeconds).toEqual([60])
})

test('a rate-limited token request is repeated like any other call', async () => {
  const time = fakeTime()
  await using region = await startRegion()
  const limited: Reply = {
    status: 429,
    json: { error: 'temporarily_unavailable', error_key: 'rate.limited' },
    headers: { 'retry-after': '42' },
  }
  const token = { token_type: 'Bearer', access_token: 't', expires_in: 3600, api_url: region.url }
  await using frontDoor = await startServer(inTurn(limited, { status: 200, json: token }))

  expect(await new ServiceClient(optionsFor(frontDoor, time)).whoami()).toEqual(WHO)

  expect(time.waitedSeconds).toEqual([42])
})

interface RepeatCase {
  readonly what: string
  readonly reply: Reply
  readonly attempts: { readonly get: number; readonly create: number; readonly change: number }
}
const repeatCases: readonly RepeatCase[] = [
  { what: 'a broken connection', reply: { status: 0, hangUp: true }, attempts: { get: 4, create: 4, change: 1 } },
  {
    what: '500 of the platform',
    reply: refusal(500, 'platform.internal_error'),
    attempts: { get: 4, create: 1, change: 1 },
  },
  { what: "a proxy's 502", reply: htmlPage(502), attempts: { get: 4, create: 1, change: 1 } },
  { what: "a proxy's 429", reply: htmlPage(429), attempts: { get: 4, create: 4, change: 4 } },
  { what: 'region.unreachable', reply: refusal(503, 'region.unreachable'), attempts: { get: 4, create: 4, change: 4 } },
  { what: 'platform.busy', reply: refusal(503, 'platform.busy'), attempts: { get: 4, create: 4, change: 4 } },
  { what: 'twofa.pending_cap', reply: refusal(429, 'twofa.pending_cap'), attempts: { get: 1, create: 1, change: 1 } },
  {
    what: 'a refusal',
    reply: refusal(403, 'auth.client_endpoint_forbidden'),
    attempts: { get: 1, create: 1, change: 1 },
  },
]

test.each(repeatCases)(
  'after $what: attempts of a read, a creation and a change are $attempts',
  async ({ reply, attempts }) => {
    await using region = await startRegion(() => reply)
    await using frontDoor = await startFrontDoor(() => region.url)
    const options = optionsFor(frontDoor, fakeTime())
    const caller = openCaller(options)
    const count = async (send: () => Promise<unknown>): Promise<number> => attemptsOf(region, send)

    const get = await count(() => new ServiceClient(options).whoami())
    const create = await count(() => call(caller, createThing, { body: { name: 'n' } }))
    const change = await count(() => call(caller, changeThing, { params: { id: '1' }, body: { name: 'n' } }))
    expect({ get, create, change }).toEqual(attempts)
  },
)

test('path parameters are encoded, and one that would change the route is refused', async () => {
  await using region = await startRegion(() => ({ status: 204 }))
  await using frontDoor = await startFrontDoor(() => `${region.url}/cell-7/`)
  const caller = openCaller(optionsFor(frontDoor))
  const change = (id: string): Promise<void> =>
    call(caller, changeThing, { params: { id }, query: { mode: 'a&b=ü' }, body: { name: 'n' } })

  await change('a/../b?c#d%2e ü')
  expect(region.received[0]?.path).toBe(
    '/cell-7/api/company-data/things/a%2F..%2Fb%3Fc%23d%252e%20%C3%BC?mode=a%26b%3D%C3%BC',
  )
  for (const id of ['', '.', '..']) await expect(change(id)).rejects.toThrow('id cannot be')
  expect(region.received).toHaveLength(1)
})

test('an Idempotency-Key of the caller is sent unchanged; an invalid one is refused', async () => {
  await using region = await startRegion(() => ({ status: 201, json: { id: 'x' } }))
  await using frontDoor = await startFrontDoor(() => region.url)
  const caller = openCaller(optionsFor(frontDoor))
  const create = (idempotencyKey: string): Promise<unknown> =>
    call(caller, createThing, { body: { name: 'n' } }, { idempotencyKey })

  await create('order-4711')
  await expect(create('two\nlines')).rejects.toThrow('idempotencyKey must be')

  expect(region.received.map(({ headers }) => headers['idempotency-key'])).toEqual(['order-4711'])
})

async function attemptsOf(server: StubServer, send: () => Promise<unknown>): Promise<number> {
  const before = server.received.length
  await expect(send()).rejects.toThrow(/request/)
  return server.received.length - before
}

function htmlPage(status: number): Reply {
  return { status, text: '<html><h1>Sorry</h1></html>', headers: { 'content-type': 'text/html' } }
}

const takingThing: Route<{ body: { name: string } }, { id: string }> = {
  ...createThing,
  takes: { name: null, events: null, rows: { slug: null }, id: false },
}

test('a body with an unknown member is refused before it is sent, with the member that was probably meant', async () => {
  await using region = await startRegion(() => ({ status: 201, json: { id: 'x' } }))
  await using frontDoor = await startFrontDoor(() => region.url)
  const caller = openCaller(optionsFor(frontDoor))
  const send = (body: object) => call(caller, takingThing, { body: { name: 'n', ...body } })

  await expect(send({ evnts: [], rows: [{ slg: 'a' }] })).rejects.toThrow(
    new TypeError(
      'POST /api/company-data/things was not sent: unknown member "evnts", did you mean "events"?; ' +
        'unknown member "rows[0].slg", did you mean "slug"?',
    ),
  )
  expect(region.received).toEqual([])
  expect(await send({ id: 'as it was read', events: undefined })).toEqual({ id: 'x' })
})

test('a warning of the platform reaches onWarning, and no call fails without one', async () => {
  const warned = { status: 201, json: { id: 'x' }, headers: { 'x-platform-warning': 'unknown member "new"' } }
  await using region = await startRegion(() => warned)
  await using frontDoor = await startFrontDoor(() => region.url)
  const warnings: unknown[] = []
  const caller = openCaller(optionsFor(frontDoor, { onWarning: (warning) => warnings.push(warning) }))

  await call(caller, createThing, { body: { name: 'n' } })
  expect(warnings).toEqual([
    {
      message: 'unknown member "new"',
      method: 'POST',
      address: `${region.url}/api/company-data/things`,
      requestId: expect.any(String),
    },
  ])
  expect(await call(openCaller(optionsFor(frontDoor)), createThing, { body: { name: 'n' } })).toEqual({ id: 'x' })
})
