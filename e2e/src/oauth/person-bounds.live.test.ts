import { openWorld } from '@sealpost/testkit'
import { describe, expect, test } from 'vitest'
import { bearer, get } from '../wire.ts'
import { attempt, dataClientOf, exchange, renew } from './relying-party.ts'
import { codeOf, openSignInApps } from './signin-app.ts'

/** More than the set-up needs. */
const QUOTA = 30

const world = await openWorld({ settings: { RATE_DATA: String(QUOTA) } })
const { northwind } = await world.personas('northwind')
const svc = await dataClientOf(northwind)
const apps = await openSignInApps(world)

test('a person can neither view nor decide a request of a company’s client, detached or not', async () => {
  for (const more of [{}, { response_mode: 'detached' }]) {
    const made = attempt(svc, more)
    for (const reply of [
      await apps.view(made),
      await apps.decide(made, { decision: 'approve' }),
      await apps.decide(made, { decision: 'deny' }),
    ]) {
      expect([reply.status, reply.body['error_key']]).toEqual([400, 'oauth.unauthorized_client'])
    }
  }
})

test('while the region of the app is out of order, codes and refresh tokens of persons in other regions are refused and stay valid', async () => {
  const tokens = await apps.signIn(apps.app)
  const made = attempt(apps.publicApp)
  const code = codeOf(await apps.decide(made, { decision: 'approve' }))
  const { directory: clientDirectory } = world.eu.modules.access
  await clientDirectory.flagRegion(true)
  for (const refused of [
    await exchange(world, apps.publicApp, made, code),
    await renew(world, apps.app, tokens.refresh),
  ]) {
    expect([refused.status, refused.body['error_key']]).toEqual([503, 'platform.out_of_order'])
  }
  await clientDirectory.flagRegion(false)
  expect((await exchange(world, apps.publicApp, made, code)).status).toBe(200)
  expect((await renew(world, apps.app, tokens.refresh)).status).toBe(200)
})

test('values that are too large to be handed over are refused', async () => {
  const claims = Array.from({ length: 4 }, (_, n) => ({ name: `c${n}`, type: 'text' }))
  const app = await apps.createApp({ claims })
  const wrapper = await apps.sealed('x'.repeat(60_000))
  const approve = (names: readonly { readonly name: string }[]) =>
    apps.decide(attempt(app), { decision: 'approve', values: Object.fromEntries(names.map((c) => [c.name, wrapper])) })
  expect((await approve(claims.slice(0, 2))).status).toBe(200)
  expect((await approve(claims)).body['error_key']).toBe('request.too_large')
  const assertion = { device_id: northwind.serviceId, signature: 'AAAA' }
  const signed = { decision: 'approve', assertion, assertion_challenge: 'x'.repeat(300_000) }
  expect((await apps.decide(attempt(apps.publicApp), signed)).body['error_key']).toBe('request.too_large')
})

describe('at the front door', () => {
  test('an app has the same limit for one person as at its region, with RateLimit headers', async () => {
    const { access } = await apps.signIn(apps.app)
    const read = () => get(`${apps.front}/api/oauth/userinfo`, bearer(access))
    expect((await read()).headers.get('ratelimit-policy')).toBe(`"data";q=${QUOTA};w=60`)
    expect(refusalOf(await untilRefused(read))).toEqual([429, 'rate.limited'])
  })

  test('a person has the same limit for views and decisions as in a region', async () => {
    const view = () => apps.view(attempt(apps.app))
    expect(refusalOf(await untilRefused(view))).toEqual([429, 'rate.limited'])
    // From the same bucket, which regains one token every two seconds.
    const decided = await untilRefused(() => apps.decide(attempt(apps.publicApp), { decision: 'approve' }), 5)
    expect([decided.status, Number(decided.headers.get('retry-after')) > 0]).toEqual([429, true])
  })
})

async function untilRefused(ask: () => ReturnType<typeof get>, most = QUOTA + 1): ReturnType<typeof get> {
  for (let tries = 1; ; tries += 1) {
    const reply = await ask()
    if (reply.status !== 200 || tries === most) return reply
  }
}

function refusalOf({ status, body }: Awaited<ReturnType<typeof get>>): readonly unknown[] {
  return [status, body['error_key']]
}
