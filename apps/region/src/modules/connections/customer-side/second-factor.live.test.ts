import { addDevice, callsWith, DEVICES, enableCodes, keyOf, logIn, oneTimeCode, openWorld } from '@sealpost/testkit'
import { expect, test } from 'vitest'

const PATH = '/api/company-connections'
const STEP_MS = 30_000

const world = await openWorld()
const company = await world.company()
const service = await world.service([], { company })
const strict = await service.portal('PUT', `${service.path}/require-2fa`, { body: { require_2fa: true } })
expect(strict.status).toBe(200)
const body = { code: service.code, decisions: [] }

test('a service that requires a second factor says so, and refuses a person without one', async () => {
  const person = await world.person()
  const offer = await person.calls('GET', `${PATH}/lookup/${service.code}`)
  expect(offer.body['service']).toMatchObject({ require_2fa: true })
  const refused = await person.calls('POST', PATH, { body })
  expect([refused.status, keyOf(refused)]).toEqual([403, 'services.second_factor_required'])
})

test('a login with a one-time code is enough, an earlier one of the same person is not', async () => {
  const person = await world.person()
  const secret = await enableCodes(person, person.authVerifier, world.clock.now())
  const plain = callsWith(person.apiUrl, person.token)
  expect(keyOf(await plain('POST', PATH, { body }))).toBe('services.second_factor_required')
  // A code passes once.
  world.clock.advance(STEP_MS)
  const session = await logIn(world, person, { otp: oneTimeCode(secret, world.clock.now()) })
  expect(await callsWith(session.apiUrl, session.token)('POST', PATH, { body })).toMatchObject({ status: 201 })
})

test('a signature of a trusted device over an issued challenge is enough, once', async () => {
  const person = await world.person()
  const device = await addDevice(person)
  const issueChallenge = async (): Promise<string> =>
    String((await person.calls('POST', `${DEVICES}/options`, { body: { kind: 'approval' } })).body['challenge'])
  const connect = (assertion_challenge: string, signed = assertion_challenge) =>
    person.calls('POST', PATH, {
      body: { ...body, assertion_challenge, assertion: device.sign(signed) },
    })
  const used = await issueChallenge()
  for (const refused of [await connect('never issued'), await connect(used, 'another text'), await connect(used)]) {
    expect([refused.status, keyOf(refused)]).toEqual([403, 'services.second_factor_required'])
  }
  expect(await connect(await issueChallenge())).toMatchObject({ status: 201 })
})

test('a company that is a customer needs none', async () => {
  const buyer = await world.company({ region: 'us' })
  expect(await buyer.calls('POST', PATH, { body })).toMatchObject({ status: 201 })
})
