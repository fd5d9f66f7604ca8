import { openWorld } from '@sealpost/testkit'
import { describeBadRequests } from '@sealpost/testkit/conformance/http'
import { expect, test } from 'vitest'
import { WHOAMI } from './wire.ts'

const world = await openWorld()
const token = await (await world.service()).token()

// A real region with all its gates.
describeBadRequests(() => ({
  url: world.eu.url ?? '',
  authorization: `Bearer ${token}`,
  reads: [WHOAMI],
  writes: [{ method: 'POST', path: WHOAMI, type: 'application/json', sample: '{"a":"b"}', maxBodyBytes: 4096 }],
}))

const form = 'application/x-www-form-urlencoded'
test.each([
  ['an empty form', form, ''],
  ['no form at all', 'application/json', '{}'],
  ['a broken escape', form, 'grant_type=%zz&client_id=%'],
  ['a member twice', form, 'grant_type=client_credentials&grant_type=client_credentials&client_id=a&client_secret=b'],
  ['a form of a megabyte', form, `grant_type=client_credentials&client_id=${'a'.repeat(1_000_000)}`],
  ['bytes that are no text', form, 'grant_type=\u0000\uFFFD&client_id=\u0000'],
  ['a client id with a NUL', form, `grant_type=client_credentials&client_id=svc_%00&client_secret=x`],
  ['deep brackets', form, `grant_type${'[a]'.repeat(500)}=client_credentials`],
])('the token endpoint refuses %s in the OAuth shape', async (_what, type, body) => {
  const answer = await fetch(`${world.frontDoor.url}/oauth2/token`, {
    method: 'POST',
    body,
    headers: { 'content-type': type },
  })
  expect([400, 401, 413]).toContain(answer.status)
  expect(await answer.json()).toMatchObject({
    error: expect.stringMatching(/^[a-z_]+$/),
    error_key: expect.stringMatching(/^(oauth|request)\.[a-z_]+$/),
  })
  expect(answer.headers.get('x-request-id')).toMatch(/^[\w-]+$/)
})

test('the token endpoint accepts POST only', async () => {
  const answer = await fetch(`${world.frontDoor.url}/oauth2/token`)
  expect(answer.status).toBe(405)
  expect(answer.headers.get('allow')).toBe('POST')
})
