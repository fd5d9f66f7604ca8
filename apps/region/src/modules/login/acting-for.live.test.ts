import {
  claimsOf,
  logIn,
  logOutWith,
  type LoggedIn,
  northwind,
  readAccount,
  refreshWith,
  signUp,
  startTwoRegions,
  type TestUser,
  type TwoRegions,
} from '@sealpost/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'

let sites: TwoRegions
let front: string
let company: TestUser
let portal: LoggedIn
let delegate: TestUser

beforeAll(async () => {
  sites = await startTwoRegions({ RATE_TOKEN: '60000' })
  front = sites.frontDoor.url
  company = await signUp(sites, { userType: 'company', region: 'us' })
  portal = await logIn(sites, company)
  delegate = await signUp(sites, { userType: 'person', region: 'eu' })
  await letIn(delegate)
})
afterAll(() => sites.close())

async function letIn({ shareCode }: TestUser): Promise<string> {
  const answer = await fetch(`${portal.apiUrl}/api/delegates`, {
    method: 'POST',
    headers: { authorization: `Bearer ${portal.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ share_code: shareCode, role: 'admin', services: [] }),
  })
  const body: unknown = await answer.json()
  expect(answer.status).toBe(201)
  return String(Reflect.get(Object(body), 'id'))
}

test('a delegate gets a token for the portal of the company, in the home region of the company', async () => {
  const own = await logIn(sites, delegate)
  const acting = await refreshWith(front, own.cookies, 'person', { acting_for: company.userId })
  expect(acting.status).toBe(200)
  expect(acting.body['api_url']).toBe(sites.us.url)
  expect(claimsOf(acting.token)).toMatchObject({
    sub: delegate.userId,
    client_id: 'portal_web',
    acc: company.userId,
    rgn: 'us',
    ut: 'person',
    ep: 0,
    sid: own.sid,
  })
  const answer = await fetch(`${sites.us.url}/api/account`, { headers: { authorization: `Bearer ${acting.token}` } })
  expect(await answer.json()).toMatchObject({ id: company.userId, user_type: 'company' })
  // The next refresh without acting_for answers a token of the delegate.
  const again = await refreshWith(front, acting.cookies, 'person')
  expect(claimsOf(again.token)).toMatchObject({ client_id: 'person_app', rgn: 'eu' })
  expect(claimsOf(again.token)).not.toHaveProperty('acc')
})

test('a user who is no delegate gets the same refusal as for an unknown company, and keeps the cookie', async () => {
  const outsider = await logIn(sites, await signUp(sites, { userType: 'person', region: 'eu' }))
  const unknown = '019a0000-0000-7000-8000-00000000dead'
  const response = await Promise.all(
    [company.userId, northwind.companyId, unknown, delegate.userId, 'nonsense'].map((actingFor) =>
      refreshWith(front, outsider.cookies, 'person', { acting_for: actingFor }),
    ),
  )
  for (const { status, body, setCookies } of response) {
    expect([status, setCookies]).toEqual([400, []])
    expect(body).toEqual(response[0]?.body)
    expect(body['details']).toEqual([{ path: '/acting_for', message: expect.any(String) }])
  }
  sites.clock.advance(60_000)
  expect((await refreshWith(front, outsider.cookies, 'person')).status).toBe(200)
})

test('a logout ends the tokens for the company at once, in every process of its region [AUTH-15]', async () => {
  const second = await sites.another('us')
  const apis = [sites.us.url ?? '', second.url ?? '']
  const own = await logIn(sites, delegate)
  const acting = await refreshWith(front, own.cookies, 'person', { acting_for: company.userId })
  for (const api of apis) expect(await readAccount(api, acting.token)).toBe(200)
  expect((await logOutWith(front, acting.cookies, 'person')).status).toBe(204)
  for (const api of apis) expect(await readAccount(api, acting.token)).toBe(401)
  expect(await readAccount(own.apiUrl, own.token)).toBe(401)
  await second.close()
})

test('a repeated cookie ends the tokens for the company, too', async () => {
  const own = await logIn(sites, delegate)
  const acting = await refreshWith(front, own.cookies, 'person', { acting_for: company.userId })
  sites.clock.advance(11_000)
  expect((await refreshWith(front, own.cookies, 'person')).status).toBe(401)
  expect(await readAccount(sites.us.url ?? '', acting.token)).toBe(401)
})

test('a logout fails while the region of the company is unreachable, and succeeds when repeated later', async () => {
  const own = await logIn(sites, delegate)
  const acting = await refreshWith(front, own.cookies, 'person', { acting_for: company.userId })
  await sites.us.close()
  const refused = await logOutWith(front, acting.cookies, 'person')
  expect([refused.status, refused.body['error_key'], refused.setCookies]).toEqual([503, 'region.unreachable', []])
  expect(await readAccount(own.apiUrl, own.token)).toBe(401)
  const back = await sites.another('us')
  expect((await logOutWith(front, acting.cookies, 'person')).status).toBe(204)
  expect(await readAccount(back.url ?? '', acting.token)).toBe(401)
})
