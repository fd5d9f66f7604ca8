import {
  addDevice,
  askRedis,
  bodyOf,
  enroll,
  NO_FAULT,
  openWorld,
  refused,
  startFaultProxy,
  startPrivateRedis,
} from '@sealpost/testkit'
import { expect, onTestFinished, test } from 'vitest'
import { turnSwitches } from '../access/index.ts'
import { cardsOf, raise, RAISE, wish } from './testing/approvals.ts'

const world = await openWorld({ settings: { RATE_TWOFA_PERSON: '6', RATE_TWOFA_POLL: '5' } })
const company = await world.company()

async function enrolled() {
  const service = await world.service([], { company })
  const { person } = await world.customer(service, [])
  await enroll(world, service.client, person)
  return { service, person, device: await addDevice(person) }
}

test('without its store a challenge is unavailable, and nothing is consumed [TWOFA-19]', async () => {
  const { service, person } = await enrolled()
  const redis = await startPrivateRedis()
  const proxy = await startFaultProxy(redis.url)
  const process = await world.another('eu', { REDIS_URL: proxy.url })
  onTestFinished(async () => {
    await proxy.close()
    await redis.remove()
  })
  const { path, card } = await raise(service, person)
  const url = process.url ?? ''
  // The other store does not know the challenge, as one that was emptied.
  const lost = await service.data('GET', path, { url })
  expect(lost).toMatchObject(refused(503, 'twofa.unavailable'))
  expect(lost.headers.get('retry-after')).toBe('5')
  proxy.turn({ kind: 'reset' })
  const away = () => service.data('GET', path, { url })
  expect(await away()).toMatchObject(refused(503, 'twofa.unavailable'))
  const raised = await service.data('POST', RAISE, { body: wish(person), url })
  expect(raised).toMatchObject(refused(503, 'twofa.unavailable'))
  // An outcome rests in PostgreSQL.
  await bodyOf(person.calls('POST', `${card}/deny`))
  expect(await bodyOf(away())).toMatchObject({ status: 'denied' })
  proxy.turn(NO_FAULT)
  expect(await cardsOf(person)).toEqual([])
})

test('a challenge that its store has lost expires, and cannot be approved [TWOFA-19]', async () => {
  const { service, person, device } = await enrolled()
  const { id, path, card } = await raise(service, person)
  // The Redis is this installation's own.
  await askRedis(world.isolated.redis.url, `DEL sealpost:twofa:id:${id}`)
  expect(await service.data('GET', path)).toMatchObject(refused(503, 'twofa.unavailable'))
  const approval = await person.calls('POST', `${card}/approve`, { body: { assertion: device.sign(id) } })
  expect(approval).toMatchObject(refused(503, 'twofa.unavailable'))
  world.clock.advance(300_000)
  expect(await bodyOf(service.data('GET', path))).toMatchObject({ status: 'expired' })
})

test('while writes are paused a pending challenge is answered, an outcome is not [TWOFA-19][ERR-03]', async () => {
  const { service, person } = await enrolled()
  const open = await raise(service, person)
  const done = await raise(service, person)
  await bodyOf(person.calls('POST', `${done.card}/deny`))
  await turnSwitches(world.eu.platform, { writesPaused: true })
  onTestFinished(() => turnSwitches(world.eu.platform, { writesPaused: false }))
  await expect.poll(async () => (await service.data('GET', done.path)).body['error_key']).toBe('twofa.unavailable')
  expect(await bodyOf(service.data('GET', open.path))).toMatchObject({ status: 'pending' })
  expect(await person.calls('POST', `${open.card}/deny`)).toMatchObject(refused(503, 'db.writes_paused'))
  expect(await service.data('POST', RAISE, { body: wish(person) })).toMatchObject(refused(503, 'db.writes_paused'))
  await turnSwitches(world.eu.platform, { writesPaused: false })
  await expect.poll(async () => (await service.data('GET', done.path)).status).toBe(200)
  expect((await service.data('GET', done.path)).status).toBe(410)
})

test('repeated raises for one person are limited, known or not [TWOFA-09]', async () => {
  const { service, person } = await enrolled()
  const { service: other, person: second } = await enrolled()
  for (const shareCode of [person.shareCode, 'ZZZZZZ']) {
    const raiseFor = () => service.data('POST', RAISE, { body: wish(person, { share_code: shareCode }) })
    const keys: unknown[] = []
    for (let attempt = 0; attempt < 7; attempt += 1) keys.push((await raiseFor()).body['error_key'] ?? 'raised')
    expect(keys.at(-1)).toBe('rate.limited')
    expect(keys.slice(0, 6)).not.toContain('rate.limited')
    expect(Number((await raiseFor()).headers.get('retry-after'))).toBeGreaterThan(0)
  }
  expect((await other.data('POST', RAISE, { body: wish(second) })).status).toBe(200)
})

test('polls are limited per challenge', async () => {
  const { service, person } = await enrolled()
  const [first, second] = [await raise(service, person), await raise(service, person)]
  const statuses: number[] = []
  for (let poll = 0; poll < 6; poll += 1) statuses.push((await service.data('GET', first.path)).status)
  expect(statuses).toEqual([200, 200, 200, 200, 200, 429])
  expect((await service.data('GET', second.path)).status).toBe(200)
})

test('HEAD reads nothing', async () => {
  const { service, person } = await enrolled()
  const { path, card } = await raise(service, person)
  await bodyOf(person.calls('POST', `${card}/deny`))
  const headers = { authorization: `Bearer ${await service.token()}` }
  expect((await fetch(`${world.eu.url}${path}`, { method: 'HEAD', headers })).status).toBe(405)
  expect((await service.data('GET', path)).status).toBe(200)
})
