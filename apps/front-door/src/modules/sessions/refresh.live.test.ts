import {
  callSession,
  claimsOf,
  logIn,
  logOutWith,
  mergeCookies,
  openWorld,
  readAccount,
  refreshWith,
} from '@sealpost/testkit'
import { describe, expect, test } from 'vitest'

const DAY_MS = 86_400_000

// Of its own, because the clock is set back.
const world = await openWorld({ own: true })
const person = await world.person({ region: 'eu' })
const company = await world.company({ region: 'us' })
const front = world.frontDoor.url

describe('a refresh', () => {
  test('answers a new token of the same session and the next cookie, separately for each user type', async () => {
    const first = await logIn(world, person)
    const both = await logIn(world, company, { cookies: first.cookies })
    for (const [userType, session] of [
      ['person', first],
      ['company', both],
    ] as const) {
      const answer = await refreshWith(front, both.cookies, userType)
      expect(answer.status).toBe(200)
      expect(answer.body).toEqual({
        token_type: 'Bearer',
        expires_in: 3600,
        access_token: answer.token,
        api_url: session.apiUrl,
      })
      expect(claimsOf(answer.token)).toMatchObject({ sid: session.sid, ut: userType, ep: 0 })
      expect(answer.setCookies).toHaveLength(1)
      expect(answer.setCookies[0]).toContain(`__Secure-session-${userType}=`)
      expect(answer.cookies).not.toEqual(both.cookies)
      expect(await readAccount(session.apiUrl, answer.token)).toBe(200)
      expect((await refreshWith(front, answer.cookies, userType)).status).toBe(200)
    }
  })

  test('a session that was opened at one front door is refreshed and closed at another', async () => {
    const other = await world.anotherFrontDoor()
    const session = await logIn(world, person, { frontDoorUrl: other.url })
    const here = await refreshWith(front, session.cookies, 'person')
    const there = await refreshWith(other.url, here.cookies, 'person')
    expect([here.status, there.status]).toEqual([200, 200])
    expect((await logOutWith(front, there.cookies, 'person')).status).toBe(204)
    expect((await refreshWith(other.url, there.cookies, 'person')).status).toBe(401)
  })

  test('repeated within ten seconds answers the same cookie, repeated later ends the session [TOKEN-26] [AUTH-15]', async () => {
    const second = await world.another('eu')
    const apis = [world.eu.url ?? '', second.url ?? '']
    const { cookies } = await logIn(world, person)
    const first = await refreshWith(front, cookies, 'person')
    world.clock.advance(10_000)
    const again = await refreshWith(front, cookies, 'person')
    expect([again.status, again.cookies]).toEqual([200, first.cookies])
    for (const api of apis) {
      for (const { token } of [first, again]) expect(await readAccount(api, token)).toBe(200)
    }
    world.clock.advance(1)
    const late = await refreshWith(front, cookies, 'person')
    expect([late.status, late.body['error_key'], late.setCookies]).toEqual([401, 'session.expired', []])
    for (const api of apis) {
      for (const { token } of [first, again]) expect(await readAccount(api, token)).toBe(401)
    }
    expect((await refreshWith(front, first.cookies, 'person')).body['error_key']).toBe('session.expired')
  })

  test('a cookie from several refreshes ago ends the session, too', async () => {
    const stolen = await logIn(world, person)
    let { cookies } = stolen
    for (let count = 0; count < 3; count += 1) {
      world.clock.advance(60_000)
      ;({ cookies } = await refreshWith(front, cookies, 'person'))
    }
    expect((await refreshWith(front, stolen.cookies, 'person')).status).toBe(401)
    expect((await refreshWith(front, cookies, 'person')).status).toBe(401)
  })

  test('concurrent refreshes of several tabs all get the same cookie', async () => {
    const other = await world.anotherFrontDoor()
    const { cookies, sid } = await logIn(world, person)
    const tabs = await Promise.all(
      Array.from({ length: 8 }, (_, tab) => refreshWith(tab % 2 === 0 ? front : other.url, cookies, 'person')),
    )
    expect(new Set(tabs.map(({ status }) => status))).toEqual(new Set([200]))
    expect(new Set(tabs.map((tab) => tab.cookies.join(';'))).size).toBe(1)
    for (const tab of tabs) expect(claimsOf(tab.token)['sid']).toBe(sid)
    const next = await refreshWith(front, tabs[0]?.cookies ?? [], 'person')
    expect(next.status).toBe(200)
  })

  test('a session ends 30 days after its last refresh, and 90 days after its login in any case', async () => {
    const start = world.clock.now()
    const [idle, busy] = [await logIn(world, person), await logIn(world, company)]
    let { cookies } = busy
    for (let day = 29; day < 90; day += 29) {
      world.clock.advance(29 * DAY_MS)
      const answer = await refreshWith(front, cookies, 'company')
      expect(answer.status).toBe(200)
      const left = Math.min(30, 90 - day) * 86_400
      expect(answer.setCookies[0]).toContain(`Max-Age=${left};`)
      ;({ cookies } = answer)
    }
    world.clock.advance(3 * DAY_MS)
    expect((await refreshWith(front, cookies, 'company')).body['error_key']).toBe('session.expired')
    world.clock.set(start)
    world.clock.advance(30 * DAY_MS)
    expect((await refreshWith(front, idle.cookies, 'person')).body['error_key']).toBe('session.expired')
    world.clock.set(start)
  })

  test('a missing, forged or other user type’s cookie is refused as expired', async () => {
    const { cookies } = await logIn(world, person)
    const asCompany = cookies.map((pair) => pair.replace('session-person', 'session-company'))
    const value = cookies[0]?.split('=')[1] ?? ''
    const cases: readonly (readonly [readonly string[], 'person' | 'company'])[] = [
      [[], 'person'],
      [cookies, 'company'],
      [asCompany, 'company'],
      [[`__Secure-session-person=us${value.slice(2)}`], 'person'],
      [[`__Secure-session-person=xx${value.slice(2)}`], 'person'],
      [[`__Secure-session-person=${value.slice(3)}`], 'person'],
      [['__Secure-session-person=eu.'], 'person'],
      [['__Secure-session-person='], 'person'],
    ]
    for (const [given, userType] of cases) {
      const answer = await refreshWith(front, given, userType)
      expect([answer.status, answer.body['error_key'], answer.setCookies]).toEqual([401, 'session.expired', []])
    }
    expect((await refreshWith(front, cookies, 'person')).status).toBe(200)
  })

  test.each([{}, { user_type: 'robot' }, { user_type: 'person', acting_for: 7 }])(
    'an invalid body is refused: %j',
    async (body) => {
      const answer = await callSession(front, 'POST', '/api/session/refresh', { body })
      expect([answer.status, answer.body['error_key']]).toEqual([400, 'request.invalid'])
    },
  )
})

describe('a logout', () => {
  test('ends the tokens of the session at once in every process of the region, and clears the cookie [AUTH-15]', async () => {
    const second = await world.another('us')
    const apis = [world.us.url ?? '', second.url ?? '']
    const session = await logIn(world, company)
    const { token, cookies } = await refreshWith(front, session.cookies, 'company')
    for (const api of apis) expect(await readAccount(api, token)).toBe(200)
    const answer = await logOutWith(front, cookies, 'company')
    expect([answer.status, answer.setCookies]).toEqual([
      204,
      ['__Secure-session-company=; Max-Age=0; HttpOnly; Secure; SameSite=Strict; Path=/api/session'],
    ])
    for (const api of apis) {
      expect(await readAccount(api, token)).toBe(401)
      expect(await readAccount(api, session.token)).toBe(401)
    }
    expect((await refreshWith(front, cookies, 'company')).body['error_key']).toBe('session.expired')
    // The browser stays known: its failed logins have a limit of their own.
    expect(mergeCookies(cookies, answer.setCookies)).toEqual([expect.stringMatching(/^__Secure-known-company=/)])
    // The same call again, and a call without a cookie.
    expect((await logOutWith(front, cookies, 'company')).status).toBe(204)
    expect((await logOutWith(front, [], 'company')).status).toBe(204)
  })

  test('leaves the session of the other user type open', async () => {
    const first = await logIn(world, person)
    const both = await logIn(world, company, { cookies: first.cookies })
    expect((await logOutWith(front, both.cookies, 'person')).status).toBe(204)
    expect(await readAccount(first.apiUrl, first.token)).toBe(401)
    expect((await refreshWith(front, both.cookies, 'company')).status).toBe(200)
  })

  test('without a user type is refused', async () => {
    for (const query of ['', '?user_type=', '?user_type=robot']) {
      const answer = await callSession(front, 'DELETE', `/api/session${query}`)
      expect([answer.status, answer.body['error_key']]).toEqual([400, 'request.invalid'])
    }
  })
})
