import { instant } from '@sealpost/kernel'
import { openJobSite } from '@sealpost/testkit/job-site'
import { beforeEach, expect, test } from 'vitest'
import type { Job, JobKind } from './contract.ts'
import type { Jobs } from './jobs.ts'
import { hangingHandler } from './testing/hanging-handler.ts'

const letter: JobKind<{ readonly text: string }> = { name: 'test.letter', queue: { name: 'letters', concurrency: 4 } }
const COMPANY = '0196a8c4-5e6f-7a10-8b2c-000000000001'
const ID = '0196a8c4-5e6f-7a10-8b2c-00000000000a'

const site = await openJobSite()
let jobs: Jobs
let seen: Job<{ readonly text: string }, never>[] = []

beforeEach(async () => {
  await site.query('truncate jobs.job, public.note')
  seen = []
  jobs = site.worker()
  jobs.handle(letter, {
    async step(tx, job) {
      seen.push(job)
      await site.note(tx, job.payload.text)
      return { next: 'done' }
    },
  })
})

const left = async () => (await site.query('select 1 from jobs.job')).length

test('a job exists if the transaction that enqueues it commits, and only then', async () => {
  const failing = site.database.transaction(async (tx) => {
    await jobs.enqueue(tx, letter, { payload: { text: 'never' }, tenantId: null })
    throw new Error('no')
  })
  await expect(failing).rejects.toThrow('no')
  await site.enqueue(jobs, letter, { payload: { text: 'yes' }, tenantId: null })
  await jobs.runDue()
  expect(await site.notes()).toEqual(['yes'])
  expect(await left()).toBe(0)
})

test('a handler gets what was enqueued', async () => {
  const at = site.clock.now()
  await site.enqueue(jobs, letter, { payload: { text: 'a' }, tenantId: COMPANY, key: 'k', id: ID, total: 7 })
  await jobs.runDue()
  expect(seen).toEqual([
    {
      id: ID,
      tenantId: COMPANY,
      key: 'k',
      payload: { text: 'a' },
      cursor: null,
      done: 0,
      total: 7,
      attempts: 1,
      enqueuedAt: at,
    },
  ])
})

test('a second job of the same id is not enqueued', async () => {
  await site.enqueue(jobs, letter, { payload: { text: 'first' }, tenantId: null, id: ID })
  await site.enqueue(jobs, letter, { payload: { text: 'second' }, tenantId: null, id: ID })
  await jobs.runDue()
  expect(await site.notes()).toEqual(['first'])
})

test('many are enqueued by one statement and run in their order', async () => {
  const texts = Array.from({ length: 50 }, (_, n) => `${n}`)
  const ordered = { ...letter, name: 'test.ordered', queue: { name: 'ordered', concurrency: 1 } }
  jobs.handle(ordered, {
    async step(tx, { payload }) {
      await site.note(tx, payload.text)
      return { next: 'done' }
    },
  })
  await site.enqueue(
    jobs,
    ordered,
    texts.map((text) => ({ payload: { text }, tenantId: null })),
  )
  await jobs.runDue()
  expect(await site.notes()).toEqual(texts)
})

test('a job waits for its time on the clock that was handed in', async () => {
  const notBefore = instant(site.clock.now() + 60_000)
  await site.enqueue(jobs, letter, { payload: { text: 'later' }, tenantId: null, notBefore })
  site.clock.advance(59_999)
  await jobs.runDue()
  expect(await site.notes()).toEqual([])
  site.clock.advance(1)
  await jobs.runDue()
  expect(await site.notes()).toEqual(['later'])
})

test('a step can put its job off without a failure', async () => {
  const patient: JobKind<{ readonly until: number }> = { name: 'test.patient', queue: letter.queue, maxAttempts: 1 }
  jobs.handle(patient, {
    async step(tx, { payload, attempts }) {
      if (site.clock.now() < payload.until) return { next: 'later', at: instant(payload.until) }
      await site.note(tx, `attempt ${attempts}`)
      return { next: 'done' }
    },
  })
  await site.enqueue(jobs, patient, { payload: { until: site.clock.now() + 1000 }, tenantId: null })
  await jobs.runDue()
  expect(await site.notes()).toEqual([])
  site.clock.advance(1000)
  await jobs.runDue()
  expect(await site.notes()).toEqual(['attempt 1'])
})

test('a cancelled job does not run; one that is running writes nothing', async () => {
  const hanging = hangingHandler((tx) => site.note(tx, 'slow'))
  const slow: JobKind<object> = { name: 'test.slow', queue: letter.queue }
  jobs.handle(slow, hanging.handler)
  const cancelled = '0196a8c4-5e6f-7a10-8b2c-00000000000b'
  await site.enqueue(jobs, slow, { payload: {}, tenantId: null, id: ID })
  await site.enqueue(jobs, letter, { payload: { text: 'never' }, tenantId: null, id: cancelled })
  expect(await site.database.transaction((tx) => jobs.cancel(tx, [cancelled]))).toBe(1)
  const running = jobs.runDue()
  await hanging.begun
  expect(await site.database.transaction((tx) => jobs.cancel(tx, [ID]))).toBe(1)
  hanging.goOn()
  await running
  expect(await site.notes()).toEqual([])
  expect(await left()).toBe(0)
})

test('two handlers for one kind and two queues of one name are mistakes', () => {
  expect(() => jobs.handle(letter, { step: async () => ({ next: 'done' }) })).toThrow('two handlers')
  const other = { name: 'test.other', queue: { name: 'letters', concurrency: 1 } }
  expect(() => jobs.handle(other, { step: async () => ({ next: 'done' }) })).toThrow('two queues')
})

test('a job of a kind without a handler waits for a process that has one', async () => {
  const unknown: JobKind<object> = { name: 'test.unknown', queue: letter.queue }
  await site.enqueue(jobs, unknown, { payload: {}, tenantId: null })
  await site.enqueue(jobs, letter, { payload: { text: 'known' }, tenantId: null })
  await jobs.runDue()
  expect(await site.notes()).toEqual(['known'])
  expect(await left()).toBe(1)
})
