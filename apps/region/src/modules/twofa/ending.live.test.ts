import { addDevice, bodyOf, enroll, openWorld, refused } from '@sealpost/testkit'
import { describe, expect, test } from 'vitest'
import { cardsOf, consent, ENROLLMENTS, enrolment, raise, RAISE, wish } from './testing/approvals.ts'

const world = await openWorld()
const company = await world.company()

async function enrolled() {
  const service = await world.service([], { company })
  const customer = await world.customer(service, [])
  await enroll(world, service.client, customer.person)
  await service.drain()
  return { service, ...customer }
}
const revokedEvent = (id: string) => ({ event: '2fa_challenge_completed', challenge_id: id, status: 'revoked' })

describe('an enrolment', () => {
  test('is one per person and service, and the person can end it [TWOFA-21][TWOFA-26][TWOFA-14]', async () => {
    const { service, person, connectionId } = await enrolled()
    await enroll(world, service.client, person)
    const { enrollments } = await bodyOf(person.calls('GET', ENROLLMENTS))
    const shown = { service_id: service.serviceId, connection_id: connectionId, enrolled_at: world.time() }
    expect(enrollments).toEqual([expect.objectContaining(shown)])
    const path = `${ENROLLMENTS}/${service.serviceId}`
    expect(await bodyOf(person.calls('GET', path))).toMatchObject(shown)
    const { path: poll, id } = await raise(service, person)
    expect((await person.calls('DELETE', path)).status).toBe(204)
    expect(await service.data('POST', RAISE, { body: wish(person) })).toMatchObject(
      refused(404, 'twofa.person_not_found'),
    )
    expect(await service.events(1)).toEqual([expect.objectContaining(revokedEvent(id))])
    expect(await bodyOf(service.data('GET', poll))).toEqual({ status: 'revoked', completed_at: world.time() })
    await expect.poll(() => cardsOf(person)).toEqual([])
    expect(await person.calls('DELETE', path)).toMatchObject(refused(404, 'twofa.enrollment_not_found'))
    expect(await bodyOf(person.calls('GET', ENROLLMENTS))).toMatchObject({ enrollments: [], total: 0 })
    await enroll(world, service.client, person)
    await raise(service, person)
  })

  test('of another person is unknown, and companies have none', async () => {
    const { service } = await enrolled()
    const path = `${ENROLLMENTS}/${service.serviceId}`
    const stranger = await world.person()
    for (const method of ['GET', 'DELETE'] as const) {
      expect(await stranger.calls(method, path)).toMatchObject(refused(404, 'twofa.enrollment_not_found'))
      expect(await company.portal(method, path)).toMatchObject(refused(403, 'company_connections.persons_only'))
      expect(await world.anonymous(method, path)).toMatchObject(refused(401, 'auth.token_missing'))
    }
  })

  test('needs a company of level pro; one that exists goes on below it [TWOFA-29]', async () => {
    const small = await world.company()
    const service = await world.service([], { company: small })
    const { person } = await world.customer(service, [])
    const { person: late } = await world.customer(service, [])
    await enroll(world, service.client, person)
    await small.setLevel('basic')
    await raise(service, person)
    const answer = await consent(world, late, enrolment(service))
    expect(answer).toMatchObject(refused(403, 'account.level_required', { required_level: 'pro' }))
  })
})

describe('a pending challenge is revoked', () => {
  test('when the person disconnects [TWOFA-14][TWOFA-20][EVENT-27]', async () => {
    const { service, person, connectionId } = await enrolled()
    const { id, path } = await raise(service, person)
    expect((await person.disconnect(connectionId)).status).toBe(204)
    const [event] = await service.events(2)
    const members = { share_code: person.shareCode, person_user_id: person.userId, completed_at: world.time() }
    expect(event).toMatchObject({ ...revokedEvent(id), ...members })
    expect(await bodyOf(service.data('GET', path))).toMatchObject({ status: 'revoked' })
    expect(await cardsOf(person)).toEqual([])
    expect(await bodyOf(person.calls('GET', ENROLLMENTS))).toMatchObject({ enrollments: [] })
  })

  test('with all others of the pair, and none of another person, of another service or with an outcome [TWOFA-14]', async () => {
    const { service, person } = await enrolled()
    const { person: neighbour } = await world.customer(service, [])
    await enroll(world, service.client, neighbour)
    const sibling = await world.service([], { company })
    await person.connected(sibling)
    await enroll(world, sibling.client, person)
    const device = await addDevice(person)
    const approved = await raise(service, person)
    await bodyOf(person.calls('POST', `${approved.card}/approve`, { body: { assertion: device.sign(approved.id) } }))
    const pair = [await raise(service, person), await raise(service, person), await raise(service, person)]
    const [theirs, other] = [await raise(service, neighbour), await raise(sibling, person)]
    expect((await person.calls('DELETE', `${ENROLLMENTS}/${service.serviceId}`)).status).toBe(204)
    const statusOf = async (path: string, { data } = service) => (await bodyOf(data('GET', path)))['status']
    for (const { path } of pair) await expect.poll(() => statusOf(path)).toBe('revoked')
    expect(await statusOf(approved.path)).toBe('approved')
    expect([await statusOf(theirs.path), await statusOf(other.path, sibling)]).toEqual(['pending', 'pending'])
    await expect.poll(async () => (await cardsOf(person)).map(({ id }) => id)).toEqual([other.id])
    expect((await cardsOf(neighbour)).map(({ id }) => id)).toEqual([theirs.id])
  })

  test('when the service ends the connection [TWOFA-14]', async () => {
    const { service, person, connectionId } = await enrolled()
    const { path } = await raise(service, person)
    expect((await service.data('DELETE', `/api/company-data/connections/${connectionId}`)).status).toBe(204)
    expect(await bodyOf(service.data('GET', path))).toMatchObject({ status: 'revoked' })
    await expect.poll(() => cardsOf(person)).toEqual([])
  })

  test('when the person deletes the account [TWOFA-14]', async () => {
    const { service, person } = await enrolled()
    const { id, path } = await raise(service, person)
    await person.erase()
    const [event] = await service.events(2)
    expect(event).toMatchObject({ ...revokedEvent(id), share_code: null })
    expect(await bodyOf(service.data('GET', path))).toMatchObject({ status: 'revoked' })
  })

  test('and can never be approved then [TWOFA-14]', async () => {
    const { service, person } = await enrolled()
    const device = await addDevice(person)
    const { id, path, card } = await raise(service, person)
    await person.calls('DELETE', `${ENROLLMENTS}/${service.serviceId}`)
    await enroll(world, service.client, person)
    const late = await person.calls('POST', `${card}/approve`, { body: { assertion: device.sign(id) } })
    expect(late).toMatchObject(refused(409, 'twofa.challenge_closed', { status: 'revoked' }))
    expect(await bodyOf(service.data('GET', path))).toMatchObject({ status: 'revoked' })
  })
})

test('a report denies and mutes the service for an hour, which looks like an unknown person', async () => {
  const { service, person } = await enrolled()
  const { id, path, card } = await raise(service, person)
  const unknown = await service.data('POST', RAISE, { body: wish(person, { share_code: 'ZZZZZZ' }) })
  expect(await bodyOf(person.calls('POST', `${card}/report`))).toEqual({
    id,
    status: 'denied',
    completed_at: world.time(),
  })
  expect(await bodyOf(service.data('GET', path))).toMatchObject({ status: 'denied' })
  const muted = await service.data('POST', RAISE, { body: wish(person) })
  expect([muted.status, muted.text]).toEqual([404, unknown.text])
  const named = ({ headers }: typeof muted) => [...headers.keys()].toSorted()
  expect(named(muted)).toEqual(named(unknown))
  world.clock.advance(3_599_999)
  expect((await service.data('POST', RAISE, { body: wish(person) })).status).toBe(404)
  world.clock.advance(1)
  const { card: next } = await raise(service, person)
  await bodyOf(person.calls('POST', `${next}/deny`))
  expect(await bodyOf(person.calls('POST', `${next}/report`))).toMatchObject({ status: 'denied' })
  expect((await service.data('POST', RAISE, { body: wish(person) })).status).toBe(404)
})
