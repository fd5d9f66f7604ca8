import {
  actFor,
  addDelegate,
  callsWith,
  claimsOf,
  logOutWith,
  openWorld,
  readAccount,
  refreshWith,
} from '@sealpost/testkit'
import { expect, test } from 'vitest'

const world = await openWorld()
const [company, otherCompany] = [await world.company({ region: 'us' }), await world.company()]
const delegate = await world.person({ region: 'eu' })
await addDelegate(company, delegate)
const front = world.frontDoor.url

test('a delegate gets a token for the portal of the company, in the home region of the company', async () => {
  const own = await delegate.logIn()
  const acting = await actFor(world, company, own.cookies)
  expect(acting.status).toBe(200)
  expect(acting.body['api_url']).toBe(world.us.url)
  expect(claimsOf(acting.token)).toMatchObject({
    sub: delegate.userId,
    client_id: 'portal_web',
    acc: company.userId,
    rgn: 'us',
    ut: 'person',
    ep: 0,
    sid: own.sid,
  })
  const answer = await callsWith(company.apiUrl, acting.token)('GET', '/api/account')
  expect(answer.body).toMatchObject({ id: company.userId, user_type: 'company' })
  // The next refresh without acting_for answers a token of the delegate.
  const again = await refreshWith(front, acting.cookies, 'person')
  expect(claimsOf(again.token)).toMatchObject({ client_id: 'person_app', rgn: 'eu' })
  expect(claimsOf(again.token)).not.toHaveProperty('acc')
})

test('a user who is no delegate gets the same refusal as for an unknown company, and keeps the cookie', async () => {
  const outsider = await world.person({ region: 'eu' })
  const unknown = '019a0000-0000-7000-8000-00000000dead'
  const response = await Promise.all(
    [company.userId, otherCompany.userId, unknown, delegate.userId, 'nonsense'].map((actingFor) =>
      refreshWith(front, outsider.cookies, 'person', { acting_for: actingFor }),
    ),
  )
  for (const { status, body, setCookies } of response) {
    expect([status, setCookies]).toEqual([400, []])
    expect(body).toEqual(response[0]?.body)
    expect(body['details']).toEqual([{ path: '/acting_for', message: expect.any(String) }])
  }
  world.clock.advance(60_000)
  expect((await refreshWith(front, outsider.cookies, 'person')).status).toBe(200)
})

test('a logout ends the tokens for the company at once, in every process of its region [AUTH-15]', async () => {
  const second = await world.another('us')
  const apis = [company.apiUrl, second.url ?? '']
  const own = await delegate.logIn()
  const acting = await actFor(world, company, own.cookies)
  for (const api of apis) expect(await readAccount(api, acting.token)).toBe(200)
  expect((await logOutWith(front, acting.cookies, 'person')).status).toBe(204)
  for (const api of apis) expect(await readAccount(api, acting.token)).toBe(401)
  expect(await readAccount(own.apiUrl, own.token)).toBe(401)
})

test('a repeated cookie ends the tokens for the company, too', async () => {
  const own = await delegate.logIn()
  const acting = await actFor(world, company, own.cookies)
  world.clock.advance(11_000)
  expect((await refreshWith(front, own.cookies, 'person')).status).toBe(401)
  expect(await readAccount(company.apiUrl, acting.token)).toBe(401)
})
