import {
  APP_ORIGIN,
  type Account,
  callsWith,
  logIn,
  openWorld,
  refreshWith,
  softAuthenticator,
  softDeviceKey,
} from '@sealpost/testkit'
import { expect, test } from 'vitest'
import { takeApprovalChallenge, verifyDeviceAssertion } from './index.ts'

const PATH = '/api/account/trusted-devices'

const world = await openWorld()
const { login, account } = world.eu.modules
const context = { ...login, account, webAuthn: { rpId: new URL(APP_ORIGIN).hostname, origins: [APP_ORIGIN] } }
const other = await world.person({ region: 'eu' })

async function optionsFor(owner: Account, kind: 'passkey' | 'device_key' | 'approval') {
  const response = await owner.calls('POST', `${PATH}/options`, { body: { kind } })
  expect(response.status).toBe(200)
  return { challenge: String(response.body['challenge']), publicKey: response.body['public_key'] }
}

async function addPasskey(owner: Account, authenticator = softAuthenticator({ origin: APP_ORIGIN })) {
  const { challenge } = await optionsFor(owner, 'passkey')
  const body = passkeyBody(owner, challenge, authenticator.create(challenge))
  return { authenticator, body, response: await owner.calls('POST', PATH, { body }) }
}

function passkeyBody(owner: Account, challenge: string, credential: unknown) {
  return { auth_verifier: owner.authVerifier, kind: 'passkey', name: 'My laptop', challenge, credential }
}

async function addDeviceKey(owner: Account) {
  const key = softDeviceKey()
  const { challenge } = await optionsFor(owner, 'device_key')
  const body = {
    auth_verifier: owner.authVerifier,
    kind: 'device_key',
    name: 'My phone',
    challenge,
    public_key: key.publicKey,
    signature: key.sign(challenge),
  }
  const response = await owner.calls('POST', PATH, { body })
  return { key, response }
}

test('a passkey is added with an issued challenge, and approves a text that it signs', async () => {
  const owner = await world.person({ region: 'eu' })
  const { publicKey } = await optionsFor(owner, 'passkey')
  expect(publicKey).toMatchObject({
    rp: { id: 'app.sealpost.test' },
    authenticatorSelection: { authenticatorAttachment: 'platform', userVerification: 'required' },
  })
  const { authenticator, response } = await addPasskey(owner)
  expect(response).toMatchObject({ status: 201, body: { kind: 'passkey', name: 'My laptop', expires_at: null } })
  const { userId } = owner
  const approve = (assertion: ReturnType<typeof authenticator.get>, challenge = 'challenge-1') =>
    verifyDeviceAssertion(context, userId, { challenge, assertion })
  const assertion = authenticator.get('challenge-1')
  await expect(approve(assertion)).resolves.toEqual({ deviceId: response.body['id'], kind: 'passkey' })
  // The counter has been used.
  await expect(approve(assertion)).resolves.toBeNull()
  await expect(approve(authenticator.get('challenge-2'))).resolves.toBeNull()
  const foreign = { challenge: 'challenge-3', assertion: authenticator.get('challenge-3') }
  await expect(verifyDeviceAssertion(context, other.userId, foreign)).resolves.toBeNull()
})

test('a device is read by its id, by its owner only', async () => {
  const owner = await world.person({ region: 'eu' })
  const { response } = await addDeviceKey(owner)
  const path = `${PATH}/${String(response.body['id'])}`
  expect(await owner.calls('GET', path)).toMatchObject({ status: 200, body: response.body })
  const missing = await owner.calls('GET', `${PATH}/019a0000-0000-7000-8000-00000000dead`)
  expect([missing.status, missing.body['error_key']]).toEqual([404, 'request.not_found'])
  for (const answer of [await other.calls('GET', path), await owner.calls('GET', `${PATH}/nonsense`)]) {
    expect([answer.status, answer.text]).toEqual([404, missing.text])
  }
  expect((await world.anonymous('GET', path)).status).toBe(401)
})

test('a device is added once for one Idempotency-Key, although its challenge is used up', async () => {
  const owner = await world.person({ region: 'eu' })
  const { challenge } = await optionsFor(owner, 'device_key')
  const key = softDeviceKey()
  const body = {
    auth_verifier: owner.authVerifier,
    kind: 'device_key',
    name: 'My phone',
    challenge,
    public_key: key.publicKey,
    signature: key.sign(challenge),
  }
  const sent = { body, key: 'device-once' }
  const [first, second] = [await owner.calls('POST', PATH, sent), await owner.calls('POST', PATH, sent)]
  expect([first.status, second.status, second.text]).toEqual([201, 201, first.text])
  expect(second.headers.get('idempotent-replayed')).toBe('true')
  const { body: list } = await owner.calls('GET', PATH)
  expect(list['total']).toBe(1)
  const changed = await owner.calls('POST', PATH, { body: { ...body, name: 'Another' }, key: 'device-once' })
  expect([changed.status, changed.body['error_key']]).toEqual([422, 'idempotency.conflict'])
})

test('a device key is added with a proof, and approves a text that it signs', async () => {
  const owner = await world.company()
  const { key, response } = await addDeviceKey(owner)
  expect(response).toMatchObject({ status: 201, body: { kind: 'device_key' } })
  const deviceId = String(response.body['id'])
  const approve = (signed: string, challenge: string) =>
    verifyDeviceAssertion(context, owner.userId, {
      challenge,
      assertion: { device_id: deviceId, signature: key.sign(signed) },
    })
  await expect(approve('id-1', 'id-1')).resolves.toEqual({ deviceId, kind: 'device_key' })
  await expect(approve('id-1', 'id-2')).resolves.toBeNull()
  await owner.calls('DELETE', `${PATH}/${deviceId}`)
  await expect(approve('id-3', 'id-3')).resolves.toBeNull()
})

test('an issued approval challenge is valid once, for its owner, until it expires', async () => {
  const owner = await world.person({ region: 'eu' })
  const { authenticator } = await addPasskey(owner)
  const { challenge, publicKey } = await optionsFor(owner, 'approval')
  expect(publicKey).toMatchObject({
    allowCredentials: [{ id: authenticator.credentialId }],
    userVerification: 'required',
  })
  await expect(takeApprovalChallenge(context, other.userId, challenge)).resolves.toBe(false)
  const both = [challenge, challenge].map((text) => takeApprovalChallenge(context, owner.userId, text))
  expect((await Promise.all(both)).filter(Boolean)).toHaveLength(1)
  const late = await optionsFor(owner, 'approval')
  world.clock.advance(5 * 60_000)
  await expect(takeApprovalChallenge(context, owner.userId, late.challenge)).resolves.toBe(false)
})

test('adding requires the password, an unused challenge of the same account and kind, and a valid proof', async () => {
  const owner = await world.person({ region: 'eu' })
  const authenticator = softAuthenticator({ origin: APP_ORIGIN })
  const { challenge } = await optionsFor(owner, 'passkey')
  const body = passkeyBody(owner, challenge, authenticator.create(challenge))
  const wrong = { ...body, auth_verifier: Buffer.alloc(32, 7).toString('base64') }
  expect(await owner.calls('POST', PATH, { body: wrong })).toMatchObject({
    status: 401,
    body: { error_key: 'session.invalid' },
  })
  const foreign = { ...body, auth_verifier: other.authVerifier }
  expect(await other.calls('POST', PATH, { body: foreign })).toMatchObject(refusedAt('/challenge'))
  expect(await owner.calls('POST', PATH, { body: { ...body, credential: undefined } })).toMatchObject(
    refusedAt('/credential'),
  )
  expect(await owner.calls('POST', PATH, { body })).toMatchObject({ status: 201 })
  expect(await owner.calls('POST', PATH, { body })).toMatchObject(refusedAt('/challenge'))
  const again = await optionsFor(owner, 'passkey')
  const same = passkeyBody(owner, again.challenge, authenticator.create(again.challenge))
  expect(await owner.calls('POST', PATH, { body: same })).toMatchObject(refusedAt('/credential'))
  const lax = softAuthenticator({ origin: APP_ORIGIN, isUserVerified: false })
  expect((await addPasskey(owner, lax)).response).toMatchObject(refusedAt('/credential'))
  const elsewhere = softAuthenticator({ origin: 'https://evil.example', rpId: 'app.sealpost.test' })
  expect((await addPasskey(owner, elsewhere)).response).toMatchObject(refusedAt('/credential'))
  const key = softDeviceKey()
  const { challenge: signed } = await optionsFor(owner, 'device_key')
  const keyBody = { auth_verifier: owner.authVerifier, kind: 'device_key', name: 'x', public_key: key.publicKey }
  const badProof = { ...keyBody, challenge: signed, signature: key.sign('something else') }
  expect(await owner.calls('POST', PATH, { body: badProof })).toMatchObject(refusedAt('/signature'))
})

function refusedAt(path: string) {
  return { status: 400, body: { error_key: 'request.invalid', details: [{ path }] } }
}

test('the list has the account’s own devices, page by page', async () => {
  const owner = await world.person({ region: 'eu' })
  for (let added = 0; added < 3; added += 1) await addDeviceKey(owner)
  const first = await owner.calls('GET', `${PATH}?limit=2`)
  expect(first.body).toMatchObject({ total: 3, items: [{ kind: 'device_key' }, { kind: 'device_key' }] })
  const rest = await owner.calls('GET', `${PATH}?cursor=${String(first.body['next_cursor'])}`)
  expect(rest.body).toMatchObject({ total: 3, items: [{ name: 'My phone' }], next_cursor: null })
  expect((await other.calls('GET', PATH)).body).toEqual({ total: 0, items: [], next_cursor: null })
})

test('removing a trusted browser ends its token at once in every process, and no other [AUTH-15]', async () => {
  const owner = await world.person({ region: 'eu' })
  const trusted = await logIn(world, owner, { trustDevice: true })
  const second = await world.another('eu')
  const urls = [owner.apiUrl, second.url ?? '']
  const statuses = (token: string) =>
    Promise.all(urls.map(async (url) => (await callsWith(url, token)('GET', PATH)).status))
  expect(await statuses(trusted.token)).toEqual([200, 200])
  const list = await owner.calls('GET', PATH)
  expect(list.body).toMatchObject({ items: [{ kind: 'browser' }] })
  const [browser] = list.body['items'] as { id: string }[]
  expect(await owner.calls('DELETE', `${PATH}/${browser?.id}`)).toMatchObject({ status: 204 })
  expect(await statuses(trusted.token)).toEqual([401, 401])
  expect(await statuses(owner.token)).toEqual([200, 200])
  expect((await refreshWith(world.frontDoor.url, trusted.cookies, 'person')).status).toBe(401)
})

test('another account’s device answers the same 404 as a missing or removed one', async () => {
  const owner = await world.person({ region: 'eu' })
  const { response } = await addDeviceKey(owner)
  const path = `${PATH}/${String(response.body['id'])}`
  const missing = await other.calls('DELETE', `${PATH}/019a0000-0000-7000-8000-000000000001`)
  const foreign = await other.calls('DELETE', path)
  expect(foreign.status).toBe(404)
  expect(foreign.text).toBe(missing.text)
  expect(await other.calls('DELETE', `${PATH}/no-id-at-all`)).toMatchObject({ status: 404 })
  const elsewhere = await callsOfAnotherLogin(owner)
  expect(await elsewhere('DELETE', path)).toMatchObject({ status: 204 })
  expect((await elsewhere('DELETE', path)).text).toBe(missing.text)
})

async function callsOfAnotherLogin(owner: Account) {
  const { apiUrl, token } = await logIn(world, owner)
  return callsWith(apiUrl, token)
}

test('removing a device with a key ends the session that added it, and later logins on it; no other', async () => {
  const owner = await world.person({ region: 'eu' })
  const { response } = await addDeviceKey(owner)
  const id = String(response.body['id'])
  const later = await logIn(world, owner, { deviceId: id })
  const elsewhere = await callsOfAnotherLogin(owner)
  const stranger = await logIn(world, other, { deviceId: id })
  const status = async (token: string) => (await callsWith(owner.apiUrl, token)('GET', PATH)).status
  expect([await status(owner.token), await status(later.token)]).toEqual([200, 200])
  expect(await elsewhere('DELETE', `${PATH}/${id}`)).toMatchObject({ status: 204 })
  expect([await status(owner.token), await status(later.token)]).toEqual([401, 401])
  expect((await refreshWith(world.frontDoor.url, later.cookies, 'person')).status).toBe(401)
  expect([(await elsewhere('GET', PATH)).status, await status(stranger.token)]).toEqual([200, 200])
  // The device is gone: a login that still names it is one without a device.
  const after = await logIn(world, owner, { deviceId: id })
  expect(await elsewhere('DELETE', `${PATH}/${id}`)).toMatchObject({ status: 404 })
  expect(await status(after.token)).toBe(200)
})

test('a session that removes its own device ends with it', async () => {
  const owner = await world.person({ region: 'eu' })
  const { response } = await addDeviceKey(owner)
  const own = callsWith(owner.apiUrl, owner.token)
  expect(await own('DELETE', `${PATH}/${String(response.body['id'])}`)).toMatchObject({ status: 204 })
  expect((await own('GET', PATH)).status).toBe(401)
})

test('attempts at passwords are limited like logins', async () => {
  const owner = await world.person({ region: 'eu' })
  const url = (await world.another('eu', { RATE_LOGIN_ACCOUNT: '3' })).url ?? ''
  const statuses: number[] = []
  for (let tries = 0; tries < 4; tries += 1) {
    const body = { auth_verifier: Buffer.alloc(32, tries).toString('base64'), code: '123456' }
    statuses.push((await owner.calls('DELETE', '/api/account/2fa', { body, url })).status)
  }
  expect(statuses).toEqual([401, 401, 401, 429])
})
