import { openJobSite } from '@sealpost/testkit/job-site'
import { beforeEach, describe, expect, test } from 'vitest'
import type { JobKind } from './contract.ts'
import type { Jobs } from './jobs.ts'

interface Range {
  readonly name: string
  readonly upTo: number
}

const COMPANY = '0196a8c4-5e6f-7a10-8b2c-000000000001'
const count: JobKind<Range, { readonly at: number }> = { name: 'test.count', queue: { name: 'counts', concurrency: 1 } }

const site = await openJobSite()
let jobs: Jobs

beforeEach(async () => {
  await site.query('truncate jobs.job, public.note')
  jobs = site.worker()
})

/** Counts five at a time; `failAt` throws after the step has written. */
function handleCounts(worker: Jobs, failAt: () => number | null = () => null): void {
  worker.handle(count, {
    async step(tx, { payload, cursor }) {
      const from = cursor?.at ?? 0
      const to = Math.min(from + 5, payload.upTo)
      for (let n = from; n < to; n += 1) await site.note(tx, `${payload.name}${n}`)
      if (failAt() === from) throw new Error('after it has written')
      return to === payload.upTo ? { next: 'done' } : { next: 'more', cursor: { at: to }, done: to }
    },
  })
}

const numbers = (name: string, upTo: number) => Array.from({ length: upTo }, (_, n) => `${name}${n}`)
const progress = () => site.database.read((read) => jobs.progress(read, count, COMPANY, ['a', 'b']))

test('a long job goes on from its cursor, step by step, with progress by key', async () => {
  handleCounts(jobs)
  await site.enqueue(jobs, count, { payload: { name: 'a', upTo: 12 }, tenantId: COMPANY, key: 'a', total: 12 })
  expect(await progress()).toEqual(new Map([['a', { done: 0, total: 12 }]]))
  await jobs.runDue(1)
  expect(await progress()).toEqual(new Map([['a', { done: 5, total: 12 }]]))
  expect(await site.notes()).toEqual(numbers('a', 5))
  await jobs.runDue()
  expect(await site.notes()).toEqual(numbers('a', 12))
  expect(await progress()).toEqual(new Map())
})

test('progress of several jobs of one key adds up; another tenant sees none of it', async () => {
  handleCounts(jobs)
  const job = { tenantId: COMPANY, key: 'b', total: 10 }
  await site.enqueue(jobs, count, [
    { ...job, payload: { name: 'x', upTo: 10 } },
    { ...job, payload: { name: 'y', upTo: 10 } },
  ])
  await jobs.runDue(1)
  expect(await progress()).toEqual(new Map([['b', { done: 5, total: 20 }]]))
  const other = '0196a8c4-5e6f-7a10-8b2c-000000000002'
  expect(await site.database.read((read) => jobs.progress(read, count, other, ['b']))).toEqual(new Map())
})

test('a step that fails writes nothing, and the next attempt begins where the last one ended well', async () => {
  let failAt: number | null = 5
  handleCounts(jobs, () => failAt)
  await site.enqueue(jobs, count, { payload: { name: 'a', upTo: 12 }, tenantId: null })
  await jobs.runDue()
  expect(await site.notes()).toEqual(numbers('a', 5))
  failAt = null
  site.clock.advance(1000)
  await jobs.runDue()
  expect(await site.notes()).toEqual(numbers('a', 12))
})

test('a long job gives its place to others after its time slice', async () => {
  const sliced: JobKind<Range, number> = { name: 'test.sliced', queue: { name: 'sliced', concurrency: 1, sliceMs: 0 } }
  jobs.handle(sliced, {
    async step(tx, { payload, cursor }) {
      const at = (cursor ?? 0) + 1
      await site.note(tx, `${payload.name}${at}`)
      return at === payload.upTo ? { next: 'done' } : { next: 'more', cursor: at }
    },
  })
  await site.enqueue(jobs, sliced, [
    { payload: { name: 'long', upTo: 4 }, tenantId: null },
    { payload: { name: 'short', upTo: 1 }, tenantId: null },
  ])
  site.clock.advance(1)
  await jobs.runDue()
  expect(await site.notes()).toEqual(['long1', 'short1', 'long2', 'long3', 'long4'])
})

describe('prepare', () => {
  const fetched: JobKind<object> = { name: 'test.fetched', queue: { name: 'fetched', concurrency: 2 } }

  test('runs outside of a transaction, and the step gets what it answered', async () => {
    jobs.handle(fetched, {
      // On a second connection, which a transaction would refuse.
      prepare: () => site.notes(),
      async step(tx, _job, notes) {
        await site.note(tx, `${notes.length} before`)
        return { next: 'done' }
      },
    })
    await site.enqueue(jobs, fetched, { payload: {}, tenantId: null })
    await jobs.runDue()
    expect(await site.notes()).toEqual(['0 before'])
  })

  test('that fails is a failed attempt, and no step is made', async () => {
    let attempts = 0
    jobs.handle(fetched, {
      async prepare() {
        attempts += 1
        if (attempts === 1) throw new Error('the other machine is away')
      },
      async step(tx, job) {
        await site.note(tx, `attempt ${job.attempts}`)
        return { next: 'done' }
      },
    })
    await site.enqueue(jobs, fetched, { payload: {}, tenantId: null })
    await jobs.runDue()
    expect(await site.notes()).toEqual([])
    site.clock.advance(1000)
    await jobs.runDue()
    expect(await site.notes()).toEqual(['attempt 2'])
  })
})

describe('pausing', () => {
  test('no job begins and a long one stops after its step; afterwards they go on', async () => {
    let isPaused = true
    const worker = site.worker({ isPaused: () => Promise.resolve(isPaused) })
    let made = 0
    worker.handle(count, {
      async step(tx, { payload, cursor }) {
        const at = (cursor?.at ?? 0) + 1
        made += 1
        isPaused = made === 2
        await site.note(tx, `${payload.name}${at}`)
        return at === payload.upTo ? { next: 'done' } : { next: 'more', cursor: { at } }
      },
    })
    await site.enqueue(worker, count, { payload: { name: 'p', upTo: 4 }, tenantId: null })
    await worker.runDue()
    expect(await site.notes()).toEqual([])
    isPaused = false
    await worker.runDue()
    expect(await site.notes()).toEqual(['p1', 'p2'])
    const rows = await site.query('select state, attempts, cursor from jobs.job')
    expect(rows).toEqual([{ state: 'waiting', attempts: 0, cursor: { at: 2 } }])
    isPaused = false
    await worker.runDue()
    expect(await site.notes()).toEqual(['p1', 'p2', 'p3', 'p4'])
  })
})
