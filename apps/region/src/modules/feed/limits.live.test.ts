import { type Answer, keyOf, openWorld, scaled } from '@sealpost/testkit'
import { expect, test } from 'vitest'
import { regionSettings } from '../../settings.ts'
import { CHANGES } from './testing/feeds.ts'

const CONNECTIONS = '/api/company-data/connections'
const WHOAMI = '/api/company-data/whoami'
/** One more every two seconds. */
const FEW = 30
const DEFAULTS = {
  RATE_CHANGES: String(regionSettings.RATE_CHANGES.fallback),
  RATE_CONNECTIONS: String(regionSettings.RATE_CONNECTIONS.fallback),
}

const limits = { RATE_TOKEN: String(FEW), RATE_DATA: String(FEW), TRUSTED_PROXIES: '127.0.0.1' }
const world = await openWorld({ settings: { ...DEFAULTS, ...limits } })
const { northwind } = await world.personas('northwind')
const open = () => world.service([], { company: northwind })

/** Calls until it is refused. The buckets refill meanwhile, by the clock of Redis, and admit as many calls more. */
async function exhaust(quota: number, ask: () => Promise<Answer>): Promise<Answer> {
  const startedAt = performance.now()
  for (let passed = 0; ; passed += 1) {
    const answer = await ask()
    const refilled = Math.ceil(((performance.now() - startedAt) / 60_000) * quota) + 1
    expect(passed).toBeLessThanOrEqual(quota + refilled)
    if (answer.status === 200) continue
    expect([answer.status, keyOf(answer)]).toEqual([429, 'rate.limited'])
    expect(passed).toBeGreaterThanOrEqual(quota)
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
    return answer
  }
}

test('the feed admits 120 calls per minute and the list of connections 60 [FEED-14]', async () => {
  const service = await open()
  const seldom = await exhaust(60, () => service.data('GET', CONNECTIONS))
  expect(seldom.headers.get('ratelimit-policy')).toBe('"connections";q=60;w=60')
  const often = await exhaust(120, () => service.data('GET', CHANGES))
  expect(often.headers.get('ratelimit-policy')).toBe('"changes";q=120;w=60')
  // After a wait the feed answers all events; another service has its own bucket.
  const [id] = await service.append({})
  const drained = async () => (await service.data('GET', CHANGES)).body['changes']
  await expect.poll(drained, { timeout: scaled(10_000) }).toMatchObject([{ id }])
  expect((await (await open()).data('GET', CHANGES)).headers.get('ratelimit')).toContain('r=119')
})

test('token requests are limited by source address and data calls by service, in buckets that refill [LIMIT-04]', async () => {
  const service = await open()
  const readData = (): Promise<Answer> => service.data('GET', WHOAMI)
  await exhaust(FEW, readData)
  await exhaust(FEW, () => tokenFor('192.0.2.1'))
  expect((await tokenFor('192.0.2.2')).status).toBe(200)
  expect((await (await open()).data('GET', WHOAMI)).status).toBe(200)
  for (const ask of [readData, () => tokenFor('192.0.2.1')])
    await expect.poll(async () => (await ask()).status, { timeout: scaled(10_000) }).toBe(200)
})

/** Requests a token from this address, as a trusted proxy forwards it. */
async function tokenFor(address: string): Promise<Answer> {
  const { clientId, clientSecret } = northwind
  const form = { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret }
  const headers = { 'x-forwarded-for': address }
  const answer = await fetch(`${world.frontDoor.url}/oauth2/token`, {
    method: 'POST',
    headers,
    body: new URLSearchParams(form),
  })
  const text = await answer.text()
  return { status: answer.status, headers: answer.headers, text, body: JSON.parse(text) as Answer['body'] }
}
