import { randomBytes } from 'node:crypto'
import { addDevice, openWorld } from '@sealpost/testkit'
import { describe, expect, test } from 'vitest'
import { openBackend } from './backend.ts'
import { type Access, call, listOf, type Members, membersOf, must, type Reply, refusalOf } from './http.ts'
import { connectPerson } from './parties.ts'
import { send } from './raw-request.ts'

const CHALLENGES = '/api/service-2fa/challenges'
const CARDS = '/api/customer/2fa/challenges'
const UNKNOWN = '019a0000-0000-7000-8000-00000000dead'

const world = await openWorld()
const backend = await openBackend(world, [])
const { data, automation, client, serviceId } = backend
const front: Access = { url: world.frontDoor.url, token: null }
const account = await world.person()
const device = await addDevice(account)
const person = await connectPerson(backend, account)
const stranger = await connectPerson(backend, await world.person())

/** One poll of a detached request, as a form. */
function pollResult(state: string): Promise<Reply> {
  const form = new URLSearchParams({ ...client, state }).toString()
  return send(front, `POST /oauth2/result\nContent-Type: application/x-www-form-urlencoded\n\n${form}`)
}

/** The person decides about an enrolment in the own app. */
function decide(state: string, decision: 'approve' | 'deny'): Promise<Reply> {
  const query = { client_id: client.client_id, mode: '2fa_enroll', response_mode: 'detached', state }
  return call({ ...front, token: account.token }, 'POST', '/oauth2/authorize', { body: { ...query, decision } })
}

let attempts = 0

function raise(members: string): Promise<Reply> {
  return send(data, `POST ${CHALLENGES}\nContent-Type: application/json\n\n{${members}}`)
}

/** A challenge, and the answer of the person's device. */
async function challenge() {
  attempts += 1
  const wish = `"share_code": "${person.shareCode}", "idempotency_key": "login-${attempts}", "context": "Bern, \\u2615"`
  const made = await must(200, raise(wish))
  const id = String(made['challenge_id'])
  const card = async () =>
    listOf((await send(person.access, `GET ${CARDS}`)).body['challenges']).find((one) => one['id'] === id)
  await expect.poll(card).toMatchObject({ context: 'Bern, ☕' })
  const answer = (act: string, members: object) =>
    send(person.access, `POST ${CARDS}/${id}/${act}\nContent-Type: application/json\n\n${JSON.stringify(members)}`)
  const poll = (headers = '') => send(data, `GET ${CHALLENGES}/${id}${headers}`)
  return {
    id,
    made,
    wish,
    poll,
    answer,
    approve: (more = {}) => answer('approve', { assertion: device.sign(id), ...more }),
  }
}

async function completed(): Promise<readonly Members[]> {
  const { body } = await send(data, 'GET /api/company-data/changes')
  return listOf(body['changes']).filter(({ event }) => event === '2fa_challenge_completed')
}

test('an enrolment from server to server is polled until the person confirms it, and refused once', async () => {
  const [state, other] = [randomBytes(16).toString('base64url'), randomBytes(16).toString('base64url')]
  expect(await pollResult(state)).toMatchObject({ status: 202, body: { status: 'pending', interval: 2 } })
  const early = `"share_code": "${person.shareCode}", "idempotency_key": "early"`
  expect(refusalOf(await raise(early))).toEqual([404, 'twofa.person_not_found'])
  expect((await decide(other, 'deny')).body).toEqual({ done: true })
  expect(await pollResult(other)).toMatchObject({
    status: 403,
    body: { error: 'access_denied', error_key: 'oauth.access_denied' },
  })
  expect((await decide(state, 'approve')).body).toEqual({ done: true })
  expect(await pollResult(state)).toMatchObject({ status: 200, body: { enrolled: true, state } })
  expect(refusalOf(await pollResult(state))).toEqual([410, 'oauth.result_expired'])
  expect(refusalOf(await pollResult(other))).toEqual([410, 'oauth.result_expired'])
  const wrong = new URLSearchParams({ client_id: client.client_id, client_secret: 'x', state }).toString()
  const refused = await send(front, `POST /oauth2/result\nContent-Type: application/x-www-form-urlencoded\n\n${wrong}`)
  expect(refused).toMatchObject({ status: 401, body: { error: 'invalid_client', error_key: 'oauth.bad_client' } })
})

describe('a challenge', () => {
  test('is approved; its outcome is read once, and told once [EVENT-27]', async () => {
    await completed()
    const { id, made, wish, poll, approve } = await challenge()
    const { expires_at } = made
    expect(made).toEqual({ challenge_id: id, status: 'pending', expires_at })
    expect(Date.parse(String(expires_at)) - world.clock.now()).toBe(300_000)
    expect((await raise(wish)).body).toEqual(made)
    expect((await poll()).body).toEqual({ status: 'pending', expires_at })
    expect((await approve()).status).toBe(200)
    const { status, body } = await poll()
    expect([status, body]).toEqual([200, { status: 'approved', completed_at: expect.any(String) }])
    expect(refusalOf(await poll())).toEqual([410, 'twofa.result_consumed'])
    const inXml = await poll('\nAccept: application/xml')
    expect([inXml.status, membersOf(inXml.xml())['error_key']]).toEqual([410, 'twofa.result_consumed'])
    expect(await completed()).toMatchObject([
      { challenge_id: id, share_code: person.shareCode, person_user_id: person.userId, ...body },
    ])
  })

  test.each(['denied', 'revoked', 'expired'])('that is %s grants no login', async (status) => {
    const { id, poll, answer } = await challenge()
    if (status === 'denied') await must(200, answer('deny', {}))
    if (status === 'revoked') {
      await must(204, send(person.access, `DELETE /api/customer/2fa/enrollments/${serviceId}`))
      await expect.poll(async () => (await completed()).map((event) => event['status'])).toEqual(['revoked'])
      expect((await decide(randomBytes(16).toString('base64url'), 'approve')).status).toBe(200)
    }
    if (status === 'expired') world.clock.advance(300_000)
    expect((await poll()).body).toEqual({ status, completed_at: expect.any(String) })
    expect(refusalOf(await poll())).toEqual([410, 'twofa.result_consumed'])
    const told = await completed()
    expect(told.map((event) => event['challenge_id'])).toEqual(status === 'denied' ? [id] : [])
  })

  test('with number matching has two digits, which the person types', async () => {
    const path = `/api/services/${serviceId}/number-matching`
    const turn = (isOn: boolean) =>
      send(automation, `PUT ${path}\nContent-Type: application/json\n\n{"number_matching": ${isOn}}`)
    expect((await turn(true)).status).toBe(200)
    const { made, poll, approve } = await challenge()
    const digits = String(made['matching_digits'])
    expect(digits).toMatch(/^[1-9][0-9]$/)
    expect((await poll()).body).not.toHaveProperty('matching_digits')
    const wrong = digits === '10' ? '11' : '10'
    for (const matching_digits of [wrong, undefined]) {
      expect((await approve({ matching_digits })).status).toBe(400)
    }
    expect((await approve({ matching_digits: digits })).status).toBe(200)
    expect((await poll()).body).toMatchObject({ status: 'approved' })
    expect((await turn(false)).status).toBe(200)
    const forbidden = await send(data, `PUT ${path}\nContent-Type: application/json\n\n{"number_matching": true}`)
    expect(refusalOf(forbidden)).toEqual([403, 'auth.client_endpoint_forbidden'])
  })

  test('is refused without a person, a key or a fitting context, for a stranger, and beyond three', async () => {
    const code = `"share_code": "${person.shareCode}"`
    for (const [members, status, key] of [
      ['"idempotency_key": "a"', 400, 'twofa.share_code_required'],
      [code, 400, 'twofa.idempotency_key_required'],
      [`${code}, "idempotency_key": "a", "context": "${'x'.repeat(201)}"`, 400, 'twofa.context_too_long'],
      ['"share_code": "ZZZZZZ", "idempotency_key": "a"', 404, 'twofa.person_not_found'],
      [`"share_code": "${stranger.shareCode}", "idempotency_key": "a"`, 404, 'twofa.person_not_found'],
    ] as const) {
      expect([members, ...refusalOf(await raise(members))]).toEqual([members, status, key])
    }
    expect(refusalOf(await send(data, `GET ${CHALLENGES}/${UNKNOWN}`))).toEqual([404, 'twofa.challenge_not_found'])
    const pending = [await challenge(), await challenge(), await challenge()]
    const fourth = await raise(`${code}, "idempotency_key": "fourth", "context": null`)
    expect([...refusalOf(fourth), fourth.headers.get('retry-after')]).toEqual([429, 'twofa.pending_cap', null])
    for (const { answer } of pending) await must(200, answer('deny', {}))
    const reused = `${code}, "idempotency_key": "login-${attempts}", "context": "Elsewhere"`
    expect(refusalOf(await raise(reused))).toEqual([409, 'twofa.idempotency_conflict'])
  })
})
