import { addDevice, enableCodes, logIn, oneTimeCode, openWorld } from '@sealpost/testkit'
import { expect, test } from 'vitest'
import { bearer, get } from '../wire.ts'
import { attempt, exchange, REDIRECT, tokensOf } from './relying-party.ts'
import { codeOf, openSignInApps } from './signin-app.ts'

const world = await openWorld()
const { mara } = await world.personas('mara')
const apps = await openSignInApps(world)

test('an app that requires a second factor gets an assertion of a device of the person, once', async () => {
  const strict = await apps.createApp({ require_2fa: true })
  const device = await addDevice({ authVerifier: mara.login.authVerifier, calls: mara.calls })
  const challengeOf = async () => String((await apps.view(attempt(strict))).body['assertion_challenge'])
  const approve = (challenge: string, signed = challenge) =>
    apps.decide(attempt(strict), {
      decision: 'approve',
      assertion_challenge: challenge,
      assertion: device.sign(signed),
    })
  for (const refused of [
    await apps.decide(attempt(strict), { decision: 'approve' }),
    await approve('an unknown challenge'),
    await approve(await challengeOf(), 'something else'),
  ]) {
    expect([refused.status, refused.body['error_key']]).toEqual([400, 'oauth.invalid_request'])
  }
  const challenge = await challengeOf()
  const approved = await approve(challenge)
  expect(approved.status).toBe(200)
  expect((await approve(challenge)).status).toBe(400)

  const made = attempt(strict)
  const fresh = await challengeOf()
  const assertion = device.sign(fresh)
  const reply = await apps.decide(made, { decision: 'approve', assertion_challenge: fresh, assertion })
  const { access } = tokensOf(await exchange(world, strict, made, codeOf(reply)))
  expect((await get(`${apps.front}/api/oauth/userinfo`, bearer(access))).body['two_factor']).toBe(true)
})

test('an app of a service that requires a second factor gets a login with one', async () => {
  const service = await world.service()
  const { company } = service
  const change = { body: { require_2fa: true } }
  expect((await service.portal('PUT', `${service.path}/require-2fa`, change)).status).toBe(200)
  const key = { public_key: apps.key.publicKey, encrypted_private_key: apps.key.encryptedPrivateKey }
  const body = { name: 'A shop', redirect_uris: [REDIRECT], service_id: service.serviceId, ...key }
  const made = await company.portal('POST', '/api/account/oauth-apps', { body })
  const strict = {
    clientId: String(made.body['client_id']),
    clientSecret: String(made.body['client_secret']),
    redirectUri: REDIRECT,
  }
  const viewed = await apps.view(attempt(strict))
  expect(viewed.body).toMatchObject({ app: { require_2fa: true }, assertion_challenge: expect.any(String) })
  const refused = await apps.decide(attempt(strict), { decision: 'approve' })
  expect([refused.status, refused.body['error_key']]).toEqual([403, 'services.second_factor_required'])

  const device = await addDevice({ authVerifier: mara.login.authVerifier, calls: mara.calls })
  const assertion_challenge = String(viewed.body['assertion_challenge'])
  const assertion = device.sign(assertion_challenge)
  const signed = await apps.decide(attempt(strict), { decision: 'approve', assertion_challenge, assertion })
  expect(signed.status).toBe(200)

  const person = await world.person()
  const secret = await enableCodes(person, person.authVerifier, world.clock.now())
  expect((await apps.decide(attempt(strict), { decision: 'approve' }, person.token)).status).toBe(403)
  // A code passes once.
  world.clock.advance(30_000)
  const session = await logIn(world, person, { otp: oneTimeCode(secret, world.clock.now()) })
  const request = attempt(strict)
  const approved = await apps.decide(request, { decision: 'approve' }, session.token)
  const { access } = tokensOf(await exchange(world, strict, request, codeOf(approved)))
  expect((await get(`${apps.front}/api/oauth/userinfo`, bearer(access))).body['two_factor']).toBe(true)
})
