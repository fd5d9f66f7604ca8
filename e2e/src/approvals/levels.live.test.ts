import { askToken, callsWith, enroll, openWorld, refused } from '@sealpost/testkit'
import { expect, test } from 'vitest'

const DAY_MS = 86_400_000
const RAISE = '/api/service-2fa/challenges'
const world = await openWorld({ own: true })
const company = await world.company()
const service = await world.service([], { company })
const { person } = await world.customer(service, [])
await enroll(world, service.client, person)

let attempts = 0

async function raiseWith(token: string) {
  attempts += 1
  const body = { share_code: person.shareCode, idempotency_key: `level-${attempts}` }
  return callsWith(company.apiUrl, token)('POST', RAISE, { body })
}

const requestToken = () => askToken(world, service.client.clientId, service.client.clientSecret)

async function raise(): Promise<number> {
  const { body } = await requestToken()
  const { status } = await raiseWith(String(body['access_token']))
  // None is pending for the next one.
  world.clock.advance(300_000)
  return status
}

test('challenges are raised from level basic on, and for seven days after a move to free [TWOFA-30]', async () => {
  await company.setLevel('basic')
  expect(await raise()).toBe(200)
  await company.setLevel('free')
  expect(await raise()).toBe(200)
  await world.passDays(7 * DAY_MS - 600_000)
  const { body } = await requestToken()
  const last = String(body['access_token'])
  expect((await raiseWith(last)).status).toBe(200)
  world.clock.advance(600_000)
  expect(await requestToken()).toMatchObject({ status: 400, body: { error_key: 'account.level_required' } })
  world.clock.advance(3_600_000)
  expect(await raiseWith(last)).toMatchObject(refused(401, 'auth.expired'))
})
