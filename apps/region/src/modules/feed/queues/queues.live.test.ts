import { instant } from '@sealpost/kernel'
import { beforeEach, describe, expect, test } from 'vitest'
import { DUE_QUEUES } from './index.ts'
import { PROBE_DELAY_MS, openFeedFixture, type TestService, type TestWorker } from './testing/queues.ts'

const fixture = await openFeedFixture()
const { clock } = fixture
let service: TestService
let worker: TestWorker

beforeEach(() => {
  service = fixture.service()
  worker = fixture.worker()
})

const DAY_MS = 86_400_000
const idsOf = (sent: readonly { readonly id: string }[]): readonly string[] => sent.map(({ id }) => id)

describe('the subscription of a queue', () => {
  test('covers the events that were appended while it was open, of its kinds, once and in order', async () => {
    await service.append({}, {})
    const all = await service.open()
    const some = await service.open({ kinds: ['connection_request_accepted'] })
    const ids = await service.append({}, {}, {})
    const sent = await worker.run()
    expect(idsOf(sent)).toEqual(ids)
    expect(new Set(sent.map(({ webhookId }) => webhookId))).toEqual(new Set([all.name.webhookId]))
    expect(sent.every(({ isParked }) => !isParked)).toBe(true)
    expect(await worker.run()).toEqual([])
    expect(await some.explain()).toMatchObject({ cursor: 5, backlogCount: 0, state: 'running', isLeased: false })
  })

  test('is empty while it is disabled: nothing is queued, and the earlier backlog stays [HOOK-07]', async () => {
    const queue = await service.open()
    await queue.change({ command: 'pause' })
    const [before] = await service.append({})
    await queue.change({ command: 'disable' })
    await service.append({}, {})
    expect(await worker.run()).toEqual([])
    expect(await queue.explain()).toMatchObject({ flow: 'disabled', backlogCount: 1 })
    await queue.change({ command: 'resume' })
    expect(await worker.run()).toEqual([])
    expect((await queue.change({ command: 'enable' })).transition).toEqual({ from: 'running', to: 'unknown' })
    const [after] = await service.append({})
    expect(idsOf(await worker.run())).toEqual([before, after])
    expect(await queue.explain()).toMatchObject({ flow: 'open', backlogCount: 0, state: 'running' })
  })

  test('changes its kinds from the next event on, and keeps the pending ones', async () => {
    const queue = await service.open({ kinds: ['connection_deleted'] })
    await queue.change({ command: 'pause' })
    const [kept] = await service.append({})
    await queue.change({ command: 'subscribe', kinds: ['connection_created'] })
    await service.append({})
    await queue.change({ command: 'subscribe', kinds: null })
    const [later] = await service.append({})
    await queue.change({ command: 'resume' })
    expect(idsOf(await worker.run())).toEqual([kept, later])
  })
})

test('the delivery is woken by an append to a feed with webhooks and by a change of a queue, and by no other append', async () => {
  let woken = 0
  fixture.database.onWake(DUE_QUEUES, () => {
    woken += 1
  })
  const wakesOf = async (act: () => Promise<unknown>): Promise<number> => {
    const before = woken
    await act()
    return woken - before
  }
  expect(await wakesOf(() => service.append({}, {}))).toBe(0)
  const queue = await service.open()
  expect(await wakesOf(() => service.append({}, {}))).toBe(1)
  expect(await wakesOf(() => queue.change({ command: 'pause' }))).toBe(1)
  expect(await wakesOf(() => queue.change({ command: 'resume' }))).toBe(1)
  await worker.run()
})

describe('an endpoint that fails', () => {
  test('is probed with the oldest event after the probe delay, and then gets the rest in order', async () => {
    const queue = await service.open()
    const ids = await service.append({}, {}, {})
    expect(idsOf(await worker.run(() => 'failed'))).toEqual(ids.slice(0, 1))
    const more = await service.append({})
    expect(await queue.explain()).toMatchObject({
      state: 'bad',
      backlogCount: 4,
      dueAt: fixture.clock.now() + PROBE_DELAY_MS,
    })
    clock.advance(PROBE_DELAY_MS - 1)
    expect(await worker.run()).toEqual([])
    clock.advance(1)
    expect(idsOf(await worker.run(() => 'failed'))).toEqual(ids.slice(0, 1))
    expect(await worker.run()).toEqual([])
    clock.advance(PROBE_DELAY_MS)
    const sent = await worker.run()
    expect(idsOf(sent)).toEqual([...ids, ...more])
    expect(sent.map(({ state }) => state)).toEqual(['unknown', 'running', 'running', 'running'])
    expect(sent.every(({ isParked }) => isParked)).toBe(true)
    const [live] = await service.append({})
    expect(await worker.run()).toMatchObject([{ id: live, isParked: false }])
  })

  test('has a backlog in which a later event of a key hides earlier ones, in this backlog only', async () => {
    const key = 'connection 1, slot a'
    const queue = await service.open()
    await queue.change({ command: 'pause' })
    const other = await service.open({ kinds: ['connection_deleted'] })
    await other.change({ command: 'pause' })
    const ids = await service.append({ key }, {}, { key }, { key, kind: 'connection_created' })
    expect(await queue.explain()).toMatchObject({ backlogCount: 2 })
    expect(await other.explain()).toMatchObject({ backlogCount: 2 })
    await queue.change({ command: 'resume' })
    expect(idsOf(await worker.run())).toEqual([ids[1], ids[3]])
    await other.change({ command: 'resume' })
    expect(idsOf(await worker.run())).toEqual([ids[1], ids[2]])
  })

  test('live events are not collapsed', async () => {
    await service.open()
    const ids = await service.append({ key: 'a' }, { key: 'a' }, { key: 'a' })
    expect(idsOf(await worker.run())).toEqual(ids)
  })

  test('has a backlog of 7 days, each row by its own age [HOOK-29]', async () => {
    const queue = await service.open()
    await queue.change({ command: 'pause' })
    await service.append({})
    clock.advance(DAY_MS)
    const [younger] = await service.append({})
    clock.advance(6 * DAY_MS - 1)
    expect(await queue.explain()).toMatchObject({ backlogCount: 2 })
    clock.advance(1)
    expect(await queue.explain()).toMatchObject({ backlogCount: 1 })
    await queue.change({ command: 'resume' })
    expect(idsOf(await worker.run())).toEqual([younger])
  })
})

describe('a replay', () => {
  test('sends all events since a time, including those missed while disabled, without collapsing', async () => {
    const queue = await service.open()
    await service.append({})
    await worker.run()
    clock.advance(1000)
    const since = fixture.clock.now()
    const key = 'k'
    const delivered = await service.append({ key }, { key })
    await worker.run()
    await queue.change({ command: 'disable' })
    const missed = await service.append({})
    await queue.change({ command: 'enable' })
    expect(await queue.change({ command: 'replay', since })).toMatchObject({ queued: 3 })
    const sent = await worker.run()
    expect(idsOf(sent)).toEqual([...delivered, ...missed])
    expect(sent.every(({ isParked }) => isParked)).toBe(true)
    const later = await service.append({ key })
    expect(idsOf(await worker.run())).toEqual(later)
  })

  test('of parked events probes a bad endpoint at once', async () => {
    const queue = await service.open()
    const ids = await service.append({}, {})
    await worker.run(() => 'failed')
    const changed = await queue.change({ command: 'replay', since: null })
    expect(changed).toEqual({ queued: 2, transition: { from: 'bad', to: 'unknown' } })
    expect(idsOf(await worker.run())).toEqual(ids)
  })

  test('keeps pending events, including older ones and kinds no longer subscribed to', async () => {
    const queue = await service.open({ kinds: ['connection_deleted'] })
    await queue.change({ command: 'pause' })
    const ids = await service.append({}, {})
    clock.advance(1000)
    await queue.change({ command: 'subscribe', kinds: ['connection_created'] })
    await service.append({})
    expect(await queue.change({ command: 'replay', since: instant(fixture.clock.now()) })).toMatchObject({ queued: 2 })
    await queue.change({ command: 'resume' })
    expect(idsOf(await worker.run())).toEqual(ids)
  })
})
