import { addDevice, bodyOf, enroll, openWorld, refused } from '@sealpost/testkit'
import { expect, test } from 'vitest'
import { raise } from './testing/approvals.ts'

const world = await openWorld()
const service = await world.service([])
const { person } = await world.customer(service, [])
await enroll(world, service.client, person)
const device = await addDevice(person)
const another = await world.another('eu')

test('one of 200 concurrent first reads gets the outcome, in two processes [TWOFA-17][TWOFA-18]', async () => {
  const { id, path, card } = await raise(service, person)
  await bodyOf(person.calls('POST', `${card}/approve`, { body: { assertion: device.sign(id) } }))
  const urls = [world.eu.url ?? '', another.url ?? '']
  const reads = await Promise.all(
    Array.from({ length: 200 }, async (_, place) => {
      for (;;) {
        const answer = await service.data('GET', path, { url: urls[place % 2] ?? '' })
        // A limit of calls in flight is no read.
        if (answer.body['error_key'] !== 'rate.limited' && answer.status !== 503) return answer
      }
    }),
  )
  expect(reads.filter(({ status }) => status === 200).map(({ body }) => body['status'])).toEqual(['approved'])
  expect(reads.filter(({ body }) => body['error_key'] === 'twofa.result_consumed')).toHaveLength(199)
})

test('50 concurrent approvals and denials have one outcome and one event [EVENT-27][TWOFA-20]', async () => {
  await service.drain()
  const { id, path, card } = await raise(service, person)
  const answers = await Promise.all(
    Array.from({ length: 50 }, async (_, place) => {
      const isApproval = place % 2 === 0
      for (;;) {
        const answer = isApproval
          ? await person.calls('POST', `${card}/approve`, { body: { assertion: device.sign(id) } })
          : await person.calls('POST', `${card}/deny`)
        if (answer.body['error_key'] !== 'rate.limited' && answer.status !== 503) return answer
      }
    }),
  )
  const statuses = new Set(answers.map(({ body }) => body['status']))
  expect(statuses.size).toBe(1)
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 409]))
  const [status] = statuses
  expect(await service.drain()).toEqual([
    expect.objectContaining({ event: '2fa_challenge_completed', challenge_id: id, status, completed_at: world.time() }),
  ])
  expect(await bodyOf(service.data('GET', path))).toMatchObject({ status })
})

test('an approval in the last millisecond is the same on both sides, and one later, too', async () => {
  const early = await raise(service, person)
  world.clock.advance(299_999)
  const approval = { body: { assertion: device.sign(early.id) } }
  expect(await bodyOf(person.calls('POST', `${early.card}/approve`, approval))).toMatchObject({ status: 'approved' })
  world.clock.advance(1)
  expect(await bodyOf(service.data('GET', early.path))).toMatchObject({ status: 'approved' })

  const late = await raise(service, person)
  world.clock.advance(300_000)
  const [read, answer] = await Promise.all([
    bodyOf(service.data('GET', late.path)),
    person.calls('POST', `${late.card}/approve`, { body: { assertion: device.sign(late.id) } }),
  ])
  expect(read).toMatchObject({ status: 'expired' })
  expect(answer).toMatchObject(refused(409, 'twofa.challenge_closed', { status: 'expired' }))
})

test('an outcome is kept for a day, read or not', async () => {
  const unread = await raise(service, person)
  const read = await raise(service, person)
  for (const { card } of [unread, read]) await bodyOf(person.calls('POST', `${card}/deny`))
  expect((await service.data('GET', read.path)).status).toBe(200)
  world.clock.advance(24 * 3_600_000 - 1)
  expect((await service.data('GET', read.path)).status).toBe(410)
  world.clock.advance(1)
  for (const { path } of [unread, read]) {
    expect(await service.data('GET', path)).toMatchObject(refused(404, 'twofa.challenge_not_found'))
  }
})
