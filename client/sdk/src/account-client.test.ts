import { expect, test } from 'vitest'
import { CLIENT_SECRET, fakeTime, optionsFor, refusal, startFrontDoor, tokensSent } from '../test/stub-platform.ts'
import { type Reply, type StubServer, startServer } from '../test/stub-server.ts'
import { AccountClient, type FreshAccess } from './index.ts'

const NO_CLIENTS = { status: 200, json: { total: 0, items: [], next_cursor: null } }
const ID = 'acct_AbCdEfGhIjKlMnOpQrStUvWx'

async function readAll<T>(items: AsyncGenerator<T>): Promise<readonly T[]> {
  const read: T[] = []
  for await (const item of items) read.push(item)
  return read
}

/** A page with its own login, whose tokens are `page-1`, `page-2`, … */
function page(
  region: StubServer,
  more: Partial<FreshAccess> = {},
): { accessToken(): Promise<FreshAccess>; asked: number } {
  return {
    asked: 0,
    accessToken() {
      this.asked += 1
      return Promise.resolve({ token: `page-${this.asked}`, apiUrl: region.url, ...more })
    },
  }
}

function open(handed: { accessToken(): Promise<FreshAccess> }, more: object = {}): AccountClient {
  return new AccountClient({ accessToken: () => handed.accessToken(), ...more })
}

test('an account client logs in at the front door like a service client', async () => {
  await using region = await startServer(() => NO_CLIENTS)
  await using frontDoor = await startFrontDoor(() => region.url)
  expect(await readAll(new AccountClient(optionsFor(frontDoor)).clients.list())).toEqual([])
  expect(frontDoor.received[0]?.path).toBe('/oauth2/token')
  expect(tokensSent(region)).toEqual(['Bearer token-1'])
})

test('a page is asked for a token once, and again after it was refused', async () => {
  let isOver = false
  await using region = await startServer(({ headers }) =>
    isOver && headers['authorization'] === 'Bearer page-1' ? refusal(401, 'auth.expired') : NO_CLIENTS,
  )
  const handed = page(region)
  const account = open(handed)
  await readAll(account.clients.list())
  await readAll(account.clients.list())
  expect(handed.asked).toBe(1)
  isOver = true
  await readAll(account.clients.list())
  expect(tokensSent(region).at(-1)).toBe('Bearer page-2')
})

test('a page is asked for a new token before the expiry that it reported', async () => {
  const time = fakeTime()
  await using region = await startServer(() => NO_CLIENTS)
  const handed = page(region, { expiresInSeconds: 3600 })
  const account = open(handed, time)
  await readAll(account.clients.list())
  time.pass(3569)
  await readAll(account.clients.list())
  expect(handed.asked).toBe(1)
  time.pass(1)
  await readAll(account.clients.list())
  expect(handed.asked).toBe(2)
})

test('the error of a page that cannot log in is thrown unchanged', async () => {
  const account = new AccountClient({ accessToken: () => Promise.reject(new Error('please log in')) })
  await expect(readAll(account.clients.list())).rejects.toThrow('please log in')
})

test.each([
  [{ apiUrl: 'elsewhere' }, /apiUrl of accessToken\(\) is not a URL/],
  [{ token: 'two words' }, /returned no token/],
  [{ expiresInSeconds: 0 }, /expiresInSeconds/],
])('an invalid token of a page is refused: %o', async (wrong, message) => {
  await using region = await startServer(() => NO_CLIENTS)
  await expect(readAll(open(page(region, wrong)).clients.list())).rejects.toThrow(message)
  expect(region.received).toHaveLength(0)
})

test('a 421 from https to http is not followed with a token of a page', async () => {
  const account = new AccountClient({
    accessToken: () => Promise.resolve({ token: 't', apiUrl: 'https://eu.example' }),
    fetch: () =>
      Promise.resolve(
        Response.json(
          { error: 'x', error_key: 'region.rebase_required', api_url: 'http://us.example' },
          { status: 421 },
        ),
      ),
  })
  await expect(account.clients.delete(ID)).rejects.toMatchObject({ key: 'region.rebase_required' })
})

test('lists are read completely in the largest pages', async () => {
  const item = (name: string): object => ({
    client_id: name,
    name,
    purpose: null,
    capabilities: [],
    redirect_uri: null,
  })
  const pages: readonly Reply[] = [
    { status: 200, json: { total: 2, items: [item('a')], next_cursor: 'more' } },
    { status: 200, json: { total: 2, items: [item('b')], next_cursor: null } },
  ]
  await using region = await startServer((_, count) => pages[count - 1] ?? { status: 500 })
  const listed = await readAll(open(page(region)).clients.list())
  expect(listed.map(({ name }) => name)).toEqual(['a', 'b'])
  const paths = region.received.map(({ path }) => path)
  expect(paths).toEqual(['/api/account/clients?limit=500', '/api/account/clients?limit=500&cursor=more'])
})

test('creating calls have one idempotency key in all their repeats', async () => {
  const made = { client_id: ID, client_secret: 's', name: 'n', purpose: null, capabilities: [], redirect_uri: null }
  const replies = [refusal(503, 'region.unreachable', {}, { 'retry-after': '5' }), { status: 201, json: made }]
  await using region = await startServer((_, count) => replies[count - 1] ?? { status: 500 })
  await open(page(region), fakeTime()).clients.create({ name: 'n', capabilities: [] })
  const keys = region.received.map(({ headers }) => headers['idempotency-key'])
  expect(keys).toHaveLength(2)
  expect(new Set(keys).size).toBe(1)
  expect(JSON.parse(region.received[0]?.body ?? '')).toEqual({ name: 'n', capabilities: [] })
})

test('a printed account client contains no secret', async () => {
  await using frontDoor = await startFrontDoor(() => 'http://127.0.0.1:1')
  const { inspect } = await import('node:util')
  expect(inspect(new AccountClient(optionsFor(frontDoor)), { depth: 9, showHidden: true })).not.toContain(CLIENT_SECRET)
})

test('a refused password is not a refused token: the call is sent once', async () => {
  await using region = await startServer(() => refusal(401, 'session.invalid'))
  const handed = page(region)
  const proof = { copy_id: 'c', auth_verifier: 'v', code: '000000' }
  await expect(open(handed).recoveryCopies.open(proof)).rejects.toMatchObject({ key: 'session.invalid' })
  expect([handed.asked, region.received.length]).toEqual([1, 1])
})
