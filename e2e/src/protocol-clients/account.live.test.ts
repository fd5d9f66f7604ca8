import { generateKeyPairSync, sign } from 'node:crypto'
import { jpegOf } from '@sealpost/images/testing'
import { openWorld } from '@sealpost/testkit'
import { expect, test } from 'vitest'
import { openBackend } from './backend.ts'
import { type Access, call, listOf, membersOf, must, type Reply, refusalOf } from './http.ts'

const UNKNOWN = '019a0000-0000-7000-8000-00000000dead'
const XML = { accept: 'application/xml' }

const world = await openWorld()
const { automation, serviceId } = await openBackend(world, [])
const person = await world.person()
const device: Access = { url: person.apiUrl, token: person.token }

/** Sends the same call twice under one Idempotency-Key. */
async function twice(access: Access, path: string, body: object): Promise<readonly [Reply, Reply]> {
  const sent = { body, headers: { 'idempotency-key': `once ${path}`.replaceAll(/[^!-~]/g, '-') } }
  return [await call(access, 'POST', path, sent), await call(access, 'POST', path, sent)]
}

function expectOnce([first, second]: readonly [Reply, Reply]): void {
  expect([first.status, second.status, second.body]).toEqual([201, 201, first.body])
  expect([first, second].map(({ headers }) => headers.get('idempotent-replayed'))).toEqual([null, 'true'])
}

/** A resource is read by its id as it was created, in either format; a missing one is 404. */
async function expectReadable(access: Access, path: string, made: Reply, key: string): Promise<void> {
  const at = `${path}/${String(made.body['id'])}`
  expect((await call(access, 'GET', at)).body).toEqual(made.body)
  expect(membersOf((await call(access, 'GET', at, { headers: XML })).xml())['id']).toBe(made.body['id'])
  expect(refusalOf(await call(access, 'GET', `${path}/${UNKNOWN}`))).toEqual([404, key])
}

test('a photo is created once and read by its id', async () => {
  const made = await twice(automation, '/api/photos', {
    file: `data:image/jpeg;base64,${jpegOf(8, 8).toString('base64')}`,
  })
  expectOnce(made)
  await expectReadable(automation, '/api/photos', made[0], 'request.not_found')
})

test('a delegate is created once and read by its id', async () => {
  const body = { share_code: person.shareCode, role: 'operator', services: [serviceId] }
  const made = await twice(automation, '/api/delegates', body)
  expectOnce(made)
  await expectReadable(automation, '/api/delegates', made[0], 'delegates.not_found')
})

test('a trusted device is added once and read by its id', async () => {
  const path = '/api/account/trusted-devices'
  const { challenge } = await must(200, call(device, 'POST', `${path}/options`, { body: { kind: 'device_key' } }))
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const signature = sign('sha256', Buffer.from(String(challenge)), { key: privateKey, dsaEncoding: 'ieee-p1363' })
  const made = await twice(device, path, {
    auth_verifier: person.authVerifier,
    kind: 'device_key',
    name: 'A phone',
    challenge,
    public_key: publicKey.export({ format: 'der', type: 'spki' }).toString('base64'),
    signature: signature.toString('base64'),
  })
  expectOnce(made)
  await expectReadable(device, path, made[0], 'request.not_found')
})

test('a verification is begun once: one mail, whose code confirms it', async () => {
  const { items } = await must(200, call(device, 'GET', '/api/contact-fields?limit=500'))
  const field = String(listOf(items).find(({ slug }) => slug === 'email')?.['id'])
  await person.put('email', person.email)
  const path = `/api/contact-data/${field}/verifications`
  const made = await twice(device, path, { provider: 'platform_email' })
  expectOnce(made)
  const code = await world.mail.waitForCode(person.email, 'verify')
  const confirm = `${path}/${String(made[0].body['verification_id'])}/confirm`
  expect(await must(200, call(device, 'POST', confirm, { body: { code } }))).toMatchObject({
    verified_method: 'email_code',
    verified_provider: 'platform_email',
  })
})

test('a request row that a plugin answers asks persons only', async () => {
  const path = `/api/services/${serviceId}/request-fields`
  const { config_token } = await must(200, call(automation, 'GET', path))
  const row = { slug: 'quote', label: 'Quote', type: 'plugin', one_time: true, audience: 'both' }
  const refused = await call(automation, 'PUT', path, { body: { config_token, request_fields: [row] } })
  expect(refusalOf(refused)).toEqual([400, 'services.request_field_plugin_invalid'])
  expect(String(refused.body['error'])).toContain('persons only')
})
