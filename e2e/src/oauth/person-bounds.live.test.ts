import { northwind } from '@sealpost/testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { bearer, get } from '../wire.ts'
import { attempt, exchange, REDIRECT, renew, setRedirect, tokensOf } from './relying-party.ts'
import { codeOf, type Desk, openDesk } from './signin-app.ts'

const svc = { clientId: northwind.clientId, clientSecret: northwind.clientSecret, redirectUri: REDIRECT }
/** More than what it takes to open the desk. */
const QUOTA = 30
let desk: Desk

beforeAll(async () => {
  desk = await openDesk({ RATE_DATA: String(QUOTA) })
  await setRedirect(desk.office.northwind, northwind.serviceId, REDIRECT)
})
afterAll(() => desk.office.close())

test('a client that acts for its company is none for a person to look at or to decide on, detached or not', async () => {
  for (const more of [{}, { response_mode: 'detached' }]) {
    const made = attempt(svc, more)
    for (const told of [
      await desk.view(made),
      await desk.decide(made, { decision: 'approve' }),
      await desk.decide(made, { decision: 'deny' }),
    ]) {
      expect([told.status, told.body['error_key']]).toEqual([400, 'oauth.unauthorized_client'])
    }
  }
})

test('while the region of the app is out of order, codes and refresh tokens of persons elsewhere wait and lose nothing', async () => {
  const tokens = await desk.signIn(desk.app)
  const made = attempt(desk.publicApp)
  const code = codeOf(await desk.decide(made, { decision: 'approve' }))
  const { clientDirectory } = desk.office.two.eu.core
  await clientDirectory.flagRegion(true)
  for (const refused of [
    await exchange(desk.office, desk.publicApp, made, code),
    await renew(desk.office, desk.app, tokens.refresh),
  ]) {
    expect([refused.status, refused.body['error_key']]).toEqual([503, 'platform.out_of_order'])
  }
  await clientDirectory.flagRegion(false)
  tokensOf(await exchange(desk.office, desk.publicApp, made, code))
  tokensOf(await renew(desk.office, desk.app, tokens.refresh))
})

test('whoever hands over more than can be passed on is told so', async () => {
  const claims = Array.from({ length: 4 }, (_, n) => ({ name: `c${n}`, type: 'text' }))
  const app = await desk.createApp({ claims })
  const wrapper = await desk.sealed('x'.repeat(60_000))
  const approve = (names: readonly { readonly name: string }[]) =>
    desk.decide(attempt(app), { decision: 'approve', values: Object.fromEntries(names.map((c) => [c.name, wrapper])) })
  expect((await approve(claims.slice(0, 2))).status).toBe(200)
  expect((await approve(claims)).body['error_key']).toBe('request.too_large')
  const assertion = { device_id: northwind.serviceId, signature: 'AAAA' }
  const signed = { decision: 'approve', assertion, assertion_challenge: 'x'.repeat(300_000) }
  expect((await desk.decide(attempt(desk.publicApp), signed)).body['error_key']).toBe('request.too_large')
})

describe('at the front door', () => {
  test('an app reads about one person as often as at its region, and is told how often', async () => {
    const { access } = await desk.signIn(desk.app)
    const read = () => get(`${desk.front}/api/oauth/userinfo`, bearer(access))
    expect((await read()).headers.get('ratelimit-policy')).toBe(`"data";q=${QUOTA};w=60`)
    expect(refusalOf(await untilRefused(read))).toEqual([429, 'rate.limited'])
  })

  test('a person looks and decides as often as anywhere else', async () => {
    const view = () => desk.view(attempt(desk.app))
    expect(refusalOf(await untilRefused(view))).toEqual([429, 'rate.limited'])
    // Of the same bucket; it gains one every two seconds, and deciding takes a while.
    const decided = await untilRefused(() => desk.decide(attempt(desk.publicApp), { decision: 'approve' }), 5)
    expect([decided.status, Number(decided.headers.get('retry-after')) > 0]).toEqual([429, true])
  })
})

async function untilRefused(ask: () => ReturnType<typeof get>, most = QUOTA + 1): ReturnType<typeof get> {
  for (let tries = 1; ; tries += 1) {
    const told = await ask()
    if (told.status !== 200 || tries === most) return told
  }
}

function refusalOf({ status, body }: Awaited<ReturnType<typeof get>>): readonly unknown[] {
  return [status, body['error_key']]
}
