import { addDevice, bodyOf, enroll, invalidAt, openWorld, refused } from '@sealpost/testkit'
import { describe, expect, test } from 'vitest'
import { type Body, cardsOf, CARDS, raise, RAISE, wish } from './testing/approvals.ts'

const MISSING = '019a0000-0000-7000-8000-00000000dead'
const world = await openWorld()
const service = await world.service([])
const strange = await world.service([])
const { person } = await world.customer(service, [])
const stranger = await world.person()
await enroll(world, service.client, person)
const device = await addDevice(person)

const denyAll = async () => {
  for (const { id } of await cardsOf(person)) await bodyOf(person.calls('POST', `${CARDS}/${id}/deny`, { body: {} }))
}
const raiseWith = (more: Body) => service.data('POST', RAISE, { body: wish(person, more) })

describe('raising', () => {
  test('answers a pending challenge, and its card shows the context [TWOFA-01][TWOFA-05][TWOFA-06][TWOFA-07][TWOFA-28]', async () => {
    const answer = await bodyOf(raiseWith({}))
    expect(answer).toEqual({ challenge_id: expect.any(String), status: 'pending', expires_at: world.time(300_000) })
    expect(answer['expires_at']).toMatch(/[+]00:00$/)
    await expect.poll(async () => (await cardsOf(person)).map(({ id }) => id)).toContain(answer['challenge_id'])
    const card = (await cardsOf(person)).find(({ id }) => id === answer['challenge_id'])
    expect(card).toMatchObject({ context: 'Login from Bern', number_matching: false, expires_at: world.time(300_000) })
    expect(JSON.stringify(await cardsOf(stranger))).not.toContain(String(answer['challenge_id']))
    await denyAll()
  })

  test('needs a person and a key, and a context that fits [TWOFA-02][TWOFA-03][TWOFA-04][LIMIT-05]', async () => {
    for (const share_code of [undefined, null, '']) {
      expect(await raiseWith({ share_code })).toMatchObject(refused(400, 'twofa.share_code_required'))
    }
    for (const idempotency_key of [undefined, null, '']) {
      expect(await raiseWith({ idempotency_key })).toMatchObject(refused(400, 'twofa.idempotency_key_required'))
    }
    const long = 'é'.normalize('NFD').repeat(200)
    expect(await raiseWith({ context: `${long}x` })).toMatchObject(refused(400, 'twofa.context_too_long'))
    expect((await raiseWith({ context: long })).status).toBe(200)
    expect((await raiseWith({ context: '😀'.repeat(199) + '\n' })).status).toBe(200)
    expect(await raiseWith({ context: 'a\tb' })).toMatchObject(invalidAt('/body/context'))
    expect(await raiseWith({ idempotency_key: 'k'.repeat(65) })).toMatchObject(invalidAt('/body/idempotency_key'))
    expect(await raiseWith({ share_code: 7 })).toMatchObject(invalidAt('/body/share_code'))
    await expect.poll(async () => (await cardsOf(person)).length).toBe(2)
    await denyAll()
  })

  test('an unknown code and a person who is not enrolled answer alike [TWOFA-08]', async () => {
    const { person: connected } = await world.customer(service, [])
    const unknown = await raiseWith({ share_code: 'ZZZZZZ' })
    expect(unknown).toMatchObject(refused(404, 'twofa.person_not_found'))
    expect((await raiseWith({ share_code: connected.shareCode })).text).toBe(unknown.text)
    const ofOther = await strange.data('POST', RAISE, { body: wish(person) })
    expect([ofOther.status, ofOther.text]).toEqual([404, unknown.text])
  })

  test('the same key answers the first body and raises one card', async () => {
    const body = wish(person)
    const answers = await Promise.all(Array.from({ length: 20 }, () => service.data('POST', RAISE, { body })))
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
    await expect.poll(async () => (await cardsOf(person)).length).toBe(1)
    const other = await service.data('POST', RAISE, { body: { ...body, context: 'Something else' } })
    expect(other).toMatchObject(refused(409, 'twofa.idempotency_conflict'))
    await denyAll()
    expect((await service.data('POST', RAISE, { body })).text).toBe(answers[0]?.text)
    world.clock.advance(300_000)
    const again = await bodyOf(service.data('POST', RAISE, { body }))
    expect(again['challenge_id']).not.toBe(answers[0]?.body['challenge_id'])
    await expect.poll(async () => (await cardsOf(person)).length).toBe(1)
    await denyAll()
  })

  test('three challenges are pending at most, until one has an outcome [TWOFA-09][LIMIT-05]', async () => {
    const answers = await Promise.all(Array.from({ length: 10 }, () => raiseWith({})))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(3)
    const refusal = answers.find(({ status }) => status !== 200)
    expect(refusal).toMatchObject(refused(429, 'twofa.pending_cap'))
    expect(refusal?.headers.get('retry-after')).toBeNull()
    expect(await raiseWith({})).toMatchObject(refused(429, 'twofa.pending_cap'))
    await expect.poll(async () => (await cardsOf(person)).length).toBe(3)
    const [first] = await cardsOf(person)
    await bodyOf(person.calls('POST', `${CARDS}/${first?.['id']}/deny`))
    expect((await raiseWith({})).status).toBe(200)
    world.clock.advance(300_000)
    expect((await raiseWith({})).status).toBe(200)
    await expect.poll(async () => (await cardsOf(person)).length).toBe(1)
    await denyAll()
  })
})

describe('an answer', () => {
  test('approved by a device, it is read once [TWOFA-11][TWOFA-15][TWOFA-16][TWOFA-17][TWOFA-18]', async () => {
    const { id, path, card } = await raise(service, person)
    expect(await bodyOf(service.data('GET', path))).toEqual({ status: 'pending', expires_at: world.time(300_000) })
    const approve = () => person.calls('POST', `${card}/approve`, { body: { assertion: device.sign(id) } })
    expect(await bodyOf(approve())).toEqual({ id, status: 'approved', completed_at: world.time() })
    expect(await cardsOf(person)).toEqual([])
    expect((await approve()).status).toBe(200)
    const done = { status: 'approved', completed_at: world.time() }
    expect(await person.calls('POST', `${card}/deny`)).toMatchObject(refused(409, 'twofa.challenge_closed', done))
    expect(await bodyOf(service.data('GET', path))).toEqual(done)
    for (let read = 0; read < 2; read += 1) {
      expect(await service.data('GET', path)).toMatchObject(refused(410, 'twofa.result_consumed'))
    }
  })

  test('needs the signature of an own device over this challenge [TWOFA-11]', async () => {
    const { id, path, card } = await raise(service, person)
    const foreign = await addDevice(stranger)
    for (const assertion of [device.sign(MISSING), foreign.sign(id), { device_id: MISSING, signature: 'AAAA' }]) {
      const answer = await person.calls('POST', `${card}/approve`, { body: { assertion } })
      expect(answer).toMatchObject(invalidAt('/body/assertion'))
    }
    expect(await person.calls('POST', `${card}/approve`, { body: {} })).toMatchObject(refused(400, 'request.invalid'))
    expect(await bodyOf(service.data('GET', path))).toMatchObject({ status: 'pending' })
    await denyAll()
  })

  test('denied without a proof [TWOFA-12][TWOFA-20][EVENT-27]', async () => {
    await service.drain()
    const { id, path, card } = await raise(service, person)
    expect(await bodyOf(person.calls('POST', `${card}/deny`))).toMatchObject({ id, status: 'denied' })
    expect(await cardsOf(person)).toEqual([])
    const late = await person.calls('POST', `${card}/approve`, { body: { assertion: device.sign(id) } })
    expect(late).toMatchObject(refused(409, 'twofa.challenge_closed', { status: 'denied' }))
    const done = { status: 'denied', completed_at: world.time() }
    expect(await service.drain()).toMatchObject([{ event: '2fa_challenge_completed', challenge_id: id, ...done }])
    expect(await bodyOf(service.data('GET', path))).toEqual(done)
  })

  test('never given, it expires, without an event [TWOFA-13][EVENT-27][LIMIT-05]', async () => {
    const { id, path, card } = await raise(service, person)
    const end = world.time(300_000)
    world.clock.advance(299_999)
    expect(await bodyOf(service.data('GET', path))).toEqual({ status: 'pending', expires_at: end })
    world.clock.advance(1)
    expect(await cardsOf(person)).toEqual([])
    const late = await person.calls('POST', `${card}/approve`, { body: { assertion: device.sign(id) } })
    expect(late).toMatchObject(refused(409, 'twofa.challenge_closed', { status: 'expired', completed_at: end }))
    expect(await bodyOf(service.data('GET', path))).toEqual({ status: 'expired', completed_at: end })
    expect(await service.data('GET', path)).toMatchObject(refused(410, 'twofa.result_consumed'))
    expect(JSON.stringify(await service.drain())).not.toContain(id)
  })

  test('of a later challenge takes the place of an earlier one in the feed, and both are read [FEED-12]', async () => {
    await service.drain()
    const [first, second] = [await raise(service, person), await raise(service, person)]
    await bodyOf(person.calls('POST', `${first.card}/deny`))
    await bodyOf(person.calls('POST', `${second.card}/approve`, { body: { assertion: device.sign(second.id) } }))
    const event = { event: '2fa_challenge_completed', challenge_id: second.id, status: 'approved' }
    expect(await service.drain()).toEqual([expect.objectContaining(event)])
    expect(await bodyOf(service.data('GET', first.path))).toMatchObject({ status: 'denied' })
    expect(await bodyOf(service.data('GET', second.path))).toMatchObject({ status: 'approved' })
  })

  test('is unknown to other services and persons, and to callers without a login', async () => {
    const { id, path, card } = await raise(service, person)
    const missing = await service.data('GET', `${RAISE}/${MISSING}`)
    expect(missing).toMatchObject(refused(404, 'twofa.challenge_not_found'))
    expect((await strange.data('GET', path)).text).toBe(missing.text)
    expect((await service.data('GET', `${RAISE}/not-an-id`)).text).toBe(missing.text)
    for (const act of ['approve', 'deny', 'report']) {
      const body = act === 'approve' ? { assertion: device.sign(id) } : {}
      expect((await stranger.calls('POST', `${card}/${act}`, { body })).text).toBe(missing.text)
      expect(await service.company.portal('POST', `${card}/${act}`, { body })).toMatchObject(
        refused(403, 'company_connections.persons_only'),
      )
      expect(await world.anonymous('POST', `${card}/${act}`, { body })).toMatchObject(
        refused(401, 'auth.token_missing'),
      )
    }
    expect(await world.anonymous('GET', path)).toMatchObject(refused(401, 'auth.token_missing'))
    expect(await person.calls('GET', path, { url: world.eu.url ?? '' })).toMatchObject({ status: 421 })
    await denyAll()
  })
})

describe('number matching', () => {
  test('only the digits of the login page approve [TWOFA-27]', async () => {
    const matching = await world.service([])
    const { person: mara } = await world.customer(matching, [])
    await enroll(world, matching.client, mara)
    const phone = await addDevice(mara)
    await bodyOf(matching.portal('PUT', `${matching.path}/number-matching`, { body: { number_matching: true } }))
    const { id, path, card, digits } = await raise(matching, mara)
    expect(digits).toMatch(/^[1-9][0-9]$/)
    expect((await cardsOf(mara))[0]).toMatchObject({ number_matching: true })
    expect(JSON.stringify(await cardsOf(mara))).not.toContain(`"${digits}"`)
    const wrong = digits === '10' ? '11' : '10'
    const approve = (matching_digits?: string) =>
      mara.calls('POST', `${card}/approve`, { body: { matching_digits, assertion: phone.sign(id) } })
    expect(await approve(wrong)).toMatchObject(refused(400, 'twofa.digits_mismatch'))
    expect(await approve()).toMatchObject(refused(400, 'twofa.digits_mismatch'))
    expect(await bodyOf(matching.data('GET', path))).toMatchObject({ status: 'pending' })
    expect(await bodyOf(approve(String(digits)))).toMatchObject({ status: 'approved' })
    expect(await bodyOf(matching.data('GET', path))).toMatchObject({ status: 'approved' })

    const second = await raise(matching, mara)
    const guess = (text: unknown) =>
      mara.calls('POST', `${second.card}/approve`, {
        body: { matching_digits: text, assertion: phone.sign(second.id) },
      })
    const bad = second.digits === '10' ? '11' : '10'
    for (let attempt = 0; attempt < 3; attempt += 1) {
      expect(await guess(bad)).toMatchObject(refused(400, 'twofa.digits_mismatch'))
    }
    expect(await guess(second.digits)).toMatchObject(refused(409, 'twofa.challenge_closed', { status: 'denied' }))
    expect(await bodyOf(matching.data('GET', second.path))).toMatchObject({ status: 'denied' })
  })
})
