import { expect, test } from 'vitest'
import {
  CLIENT_ID,
  CLIENT_SECRET,
  fakeTime,
  iAm,
  inTurn,
  optionsFor,
  refusal,
  startFrontDoor,
  startRegion,
  tokensSent,
  WHO,
} from '../test/stub-platform.ts'
import { startServer } from '../test/stub-server.ts'
import { isSealpostError, ServiceClient } from './index.ts'

test('a client logs in at the front door with a form and reads its data at api_url [SDK-02]', async () => {
  await using region = await startRegion()
  await using frontDoor = await startFrontDoor(() => region.url)
  const client = new ServiceClient(optionsFor(frontDoor))

  expect(await client.whoami()).toEqual(WHO)

  const [login] = frontDoor.received
  expect(login).toMatchObject({ method: 'POST', path: '/oauth2/token' })
  expect(login?.headers['content-type']).toBe('application/x-www-form-urlencoded')
  expect(login?.headers['authorization']).toBeUndefined()
  expect(Object.fromEntries(new URLSearchParams(login?.body))).toEqual({
    grant_type: 'client_credentials',
    client_id: CLIENT_ID,
    client_secret: CLIENT_SECRET,
  })
  expect(region.received).toHaveLength(1)
  expect(region.received[0]).toMatchObject({ method: 'GET', path: '/api/company-data/whoami', body: '' })
  expect(tokensSent(region)).toEqual(['Bearer token-1'])
})

test('a token serves for its lifetime and is replaced 30 seconds before it ends [SDK-01]', async () => {
  const time = fakeTime()
  await using region = await startRegion()
  await using frontDoor = await startFrontDoor(() => region.url)
  const client = new ServiceClient(optionsFor(frontDoor, time))

  await client.whoami()
  time.pass(3569)
  await client.whoami()
  expect(frontDoor.received).toHaveLength(1)
  time.pass(1)
  await client.whoami()

  expect(frontDoor.received).toHaveLength(2)
  expect(tokensSent(region)).toEqual(['Bearer token-1', 'Bearer token-1', 'Bearer token-2'])
})

test('concurrent calls share one token request', async () => {
  await using region = await startRegion()
  await using frontDoor = await startFrontDoor(() => region.url)
  const client = new ServiceClient(optionsFor(frontDoor))

  await Promise.all(Array.from({ length: 20 }, () => client.whoami()))

  expect(frontDoor.received).toHaveLength(1)
  expect(region.received).toHaveLength(20)
})

test('a failed login is not cached: the next call tries again', async () => {
  await using region = await startRegion()
  let isOpen = false
  await using frontDoor = await startServer(() =>
    isOpen
      ? { status: 200, json: { token_type: 'Bearer', access_token: 't', expires_in: 3600, api_url: region.url } }
      : refusal(401, 'oauth.bad_client', { error_description: 'Unknown client or wrong secret' }),
  )
  const client = new ServiceClient(optionsFor(frontDoor))

  await expect(client.whoami()).rejects.toThrow(/^Unknown client or wrong secret \(oauth\.bad_client, request .+\)$/)
  isOpen = true
  expect(await client.whoami()).toEqual(WHO)
})

test('calls go to the address of the newest token [SDK-02]', async () => {
  const time = fakeTime()
  await using eu = await startRegion()
  await using us = await startRegion()
  let home = eu.url
  await using frontDoor = await startFrontDoor(() => home)
  const client = new ServiceClient(optionsFor(frontDoor, time))

  await client.whoami()
  home = us.url
  await client.whoami()
  expect([eu.received.length, us.received.length]).toEqual([2, 0])
  time.pass(3600)
  await client.whoami()

  expect([eu.received.length, us.received.length]).toEqual([2, 1])
})

test('after a 421 the call and all later ones go to the named address [SDK-03]', async () => {
  await using us = await startRegion()
  await using eu = await startRegion(() => refusal(421, 'region.rebase_required', { api_url: us.url }))
  await using frontDoor = await startFrontDoor(() => eu.url)
  const client = new ServiceClient(optionsFor(frontDoor))

  expect(await client.whoami()).toEqual(WHO)
  expect(await client.whoami()).toEqual(WHO)

  expect([eu.received.length, us.received.length, frontDoor.received.length]).toEqual([1, 2, 1])
  expect(tokensSent(us)).toEqual(['Bearer token-1', 'Bearer token-1'])
})

test('a second 421 is an error, not a loop [SDK-03]', async () => {
  const urls: string[] = []
  await using eu = await startRegion(() => refusal(421, 'region.rebase_required', { api_url: urls[1] }))
  await using us = await startRegion(() => refusal(421, 'region.rebase_required', { api_url: urls[0] }))
  urls.push(eu.url, us.url)
  await using frontDoor = await startFrontDoor(() => eu.url)
  const time = fakeTime()
  const client = new ServiceClient(optionsFor(frontDoor, time))

  const error = await client.whoami().catch((reason: unknown) => reason)

  expect(isSealpostError(error, 'region.rebase_required') && error.details.api_url).toBe(eu.url)
  expect([eu.received.length, us.received.length]).toEqual([1, 1])
  expect(time.waitedSeconds).toEqual([])
})

test.each(['ftp://files.example', 'javascript:alert(1)', 'http://user:pass@host.example', 'elsewhere', 7, undefined])(
  'a 421 that names %s is thrown, and the token is not sent on',
  async (apiUrl) => {
    await using eu = await startRegion(() => refusal(421, 'region.rebase_required', { api_url: apiUrl }))
    await using frontDoor = await startFrontDoor(() => eu.url)
    const client = new ServiceClient(optionsFor(frontDoor))

    await expect(client.whoami()).rejects.toMatchObject({ key: 'region.rebase_required', status: 421 })
    expect(eu.received).toHaveLength(1)
  },
)

test('a refused token is replaced once and the call repeated', async () => {
  await using region = await startRegion(inTurn(refusal(401, 'auth.token_invalid'), iAm()))
  await using frontDoor = await startFrontDoor(() => region.url)

  expect(await new ServiceClient(optionsFor(frontDoor)).whoami()).toEqual(WHO)

  expect(tokensSent(region)).toEqual(['Bearer token-1', 'Bearer token-2'])
})

test('a second 401 is thrown', async () => {
  await using region = await startRegion(() => refusal(401, 'auth.token_invalid'))
  await using frontDoor = await startFrontDoor(() => region.url)

  await expect(new ServiceClient(optionsFor(frontDoor)).whoami()).rejects.toMatchObject({ key: 'auth.token_invalid' })

  expect([region.received.length, frontDoor.received.length]).toEqual([2, 2])
})

test('concurrent calls with the same refused token share one token request', async () => {
  await using region = await startRegion(({ headers }) =>
    headers['authorization'] === 'Bearer token-1' ? refusal(401, 'auth.expired') : iAm(),
  )
  await using frontDoor = await startFrontDoor(() => region.url)
  const client = new ServiceClient(optionsFor(frontDoor))

  await Promise.all(Array.from({ length: 10 }, () => client.whoami()))

  expect(frontDoor.received).toHaveLength(2)
})

test('the signal of a call ends it, and its shared login goes on for the others', async () => {
  await using region = await startRegion()
  const { promise: opened, resolve: open } = Promise.withResolvers<void>()
  await using frontDoor = await startServer(async () => {
    await opened
    return { status: 200, json: { token_type: 'Bearer', access_token: 't', expires_in: 3600, api_url: region.url } }
  })
  const client = new ServiceClient(optionsFor(frontDoor))
  const controller = new AbortController()
  const ended = client.whoami({ signal: controller.signal })
  const other = client.whoami()
  const reason = new Error('no longer needed')

  controller.abort(reason)
  await expect(ended).rejects.toBe(reason)
  open()
  expect(await other).toEqual(WHO)
  expect(frontDoor.received).toHaveLength(1)
})

test.each([
  [{ frontDoorUrl: 'ftp://api.example.com' }, 'frontDoorUrl has the scheme ftp:'],
  [{ frontDoorUrl: 'api.example.com' }, 'frontDoorUrl is not a URL'],
  [{ frontDoorUrl: 'https://api.example.com/?a=1' }, 'frontDoorUrl contains a query'],
  [{ clientId: '' }, 'clientId is missing'],
  [{ maxWaitSeconds: -1 }, 'maxWaitSeconds must be'],
  [{ requestTimeoutMs: Number.NaN }, 'requestTimeoutMs must be'],
  [{ userAgent: 'a\r\nx: y' }, 'userAgent must be'],
])('invalid options are refused by the constructor: %o', (wrong, message) => {
  const right = { frontDoorUrl: 'https://api.example.com', clientId: CLIENT_ID, clientSecret: CLIENT_SECRET }
  expect(() => new ServiceClient({ ...right, ...wrong })).toThrow(message)
})
