import { northwind, openWorld } from '@sealpost/testkit'
import { describe, expect, test } from 'vitest'

/** Without Redis the process counts by itself, on a clock that stands still. */
const SETTINGS = {
  REDIS_URL: 'redis://127.0.0.1:1',
  RATE_TOKEN: '3',
  RATE_RESULT: '1',
  TRUSTED_PROXIES: '127.0.0.0/8,::1/128',
}
const POLLS_OF_AN_ADDRESS = 50

const world = await openWorld()
const { url } = await world.anotherFrontDoor(SETTINGS)

describe('an address is limited before a body is read', () => {
  test('to begin an authorization', async () => {
    const query = new URLSearchParams({ client_id: northwind.clientId, redirect_uri: 'https://x.example/' })
    const begin = () => send('192.0.2.1', `/oauth2/authorize?${query}`)
    expect(await statuses(4, begin)).toEqual([400, 400, 400, 429])
  })

  test('to end an authorization, whatever the body is', async () => {
    const end = () => send('192.0.2.2', '/oauth2/authorize', { type: 'application/json', body: '{' })
    expect(await statuses(4, end)).toEqual([400, 400, 400, 429])
    // To begin one has a quota of its own.
    expect((await send('192.0.2.2', '/oauth2/authorize?client_id=x')).status).toBe(400)
  })

  test('to poll for results: a wrong secret is checked so often and no more', async () => {
    const body = new URLSearchParams({ client_id: northwind.clientId, client_secret: 'wrong', state: 's'.repeat(40) })
    const poll = () =>
      send('192.0.2.3', '/oauth2/result', { type: 'application/x-www-form-urlencoded', body: String(body) })
    const answers = await statuses(POLLS_OF_AN_ADDRESS + 1, poll)
    expect(answers.slice(0, -1)).toEqual(answers.slice(0, -1).map(() => 401))
    expect(answers.at(-1)).toBe(429)
  })
})

describe('IPv6', () => {
  const begin = (address: string) => send(address, '/oauth2/authorize?client_id=x')

  test('the addresses of a /64 share one quota', async () => {
    expect(await statuses(4, (index) => begin(`2001:db8:1:2::${index + 1}`))).toEqual([400, 400, 400, 429])
    expect((await begin('2001:db8:1:3::1')).status).toBe(400)
  })

  test('the networks of a /48 share ten times the quota', async () => {
    const answers = await statuses(31, (index) => begin(`2001:db8:9:${index + 1}::1`))
    expect(answers).toEqual([...answers.slice(0, -1).map(() => 400), 429])
    expect((await begin('2001:db8:a:1::1')).status).toBe(400)
  })
})

async function statuses(count: number, call: (index: number) => Promise<Response>): Promise<readonly number[]> {
  const found: number[] = []
  for (let index = 0; index < count; index += 1) found.push((await call(index)).status)
  return found
}

function send(
  address: string,
  path: string,
  sent: { readonly type: string; readonly body: string } | null = null,
): Promise<Response> {
  const headers = { 'x-forwarded-for': address, accept: 'application/json' }
  if (sent === null) return fetch(url + path, { headers })
  return fetch(url + path, { method: 'POST', headers: { ...headers, 'content-type': sent.type }, body: sent.body })
}
