import { openJobSite } from '@sealpost/testkit/job-site'
import { beforeEach, expect, test } from 'vitest'
import { type JobKind, PermanentJobFailure } from './contract.ts'
import type { Jobs } from './jobs.ts'

const BACKOFF = { firstMs: 1000, longestMs: 3000 }
const fragile: JobKind<{ readonly name: string }> = {
  name: 'test.fragile',
  queue: { name: 'fragile', concurrency: 2 },
  maxAttempts: 5,
  backoff: BACKOFF,
}
const COMPANY = '0196a8c4-5e6f-7a10-8b2c-000000000001'

const site = await openJobSite()
let jobs: Jobs
/** The jobs that fail now, and with what. */
let failing: Map<string, Error>

beforeEach(async () => {
  await site.query('truncate jobs.job, public.note')
  failing = new Map()
  jobs = site.worker()
  jobs.handle(fragile, {
    async step(tx, { payload, attempts }) {
      await site.note(tx, `${payload.name} at attempt ${attempts}`)
      const error = failing.get(payload.name)
      if (error !== undefined) throw error
      return { next: 'done' }
    },
  })
})

const enqueue = (name: string) => site.enqueue(jobs, fragile, { payload: { name }, tenantId: COMPANY })

test('a failed job waits longer each time, up to a limit, on the clock that was handed in', async () => {
  failing.set('a', new Error('no'))
  await enqueue('a')
  await jobs.runDue()
  for (const waitMs of [1000, 2000, 3000]) {
    site.clock.advance(waitMs - 1)
    await jobs.runDue()
    const [before] = await site.query<{ attempts: number }>('select attempts from jobs.job')
    site.clock.advance(1)
    await jobs.runDue()
    const [after] = await site.query<{ attempts: number }>('select attempts from jobs.job')
    expect((after?.attempts ?? 0) - (before?.attempts ?? 0)).toBe(1)
  }
  expect(await site.notes()).toEqual([])
  failing.clear()
  site.clock.advance(3000)
  await jobs.runDue()
  expect(await site.notes()).toEqual(['a at attempt 5'])
})

test('a job that fails holds up no other', async () => {
  failing.set('bad', new Error('no'))
  await enqueue('bad')
  await enqueue('good')
  await jobs.runDue()
  expect(await site.notes()).toEqual(['good at attempt 1'])
})

test('after its last attempt a job is dead: health shows it, and an operator can try it again', async () => {
  failing.set('a', new Error('cannot be done'))
  await enqueue('a')
  for (let attempt = 0; attempt < 5; attempt += 1) {
    await jobs.runDue()
    site.clock.advance(3000)
  }
  const { queues, dead } = await jobs.health()
  expect(queues).toEqual([
    { queue: 'fragile', delayed: 0, waiting: 0, running: 0, blocked: 0, dead: 1, oldestDueAt: null },
  ])
  expect(dead).toMatchObject([
    { kind: 'test.fragile', tenantId: COMPANY, attempts: 5, error: 'Error: cannot be done', key: null },
  ])
  await jobs.runDue()
  expect(site.telemetry.lines().filter(({ level }) => level === 'error')).toHaveLength(1)
  failing.clear()
  expect(await jobs.retry({ ids: dead.map(({ id }) => id) })).toBe(1)
  await jobs.runDue()
  expect(await site.notes()).toEqual(['a at attempt 1'])
  expect((await jobs.health()).dead).toEqual([])
})

test('all dead jobs of a queue can be tried again at once, and one can be discarded', async () => {
  for (const name of ['a', 'b', 'c']) {
    failing.set(name, new PermanentJobFailure('not this one'))
    await enqueue(name)
  }
  await jobs.runDue()
  const { dead } = await jobs.health()
  expect(dead.map(({ attempts }) => attempts)).toEqual([1, 1, 1])
  expect(await jobs.discard([dead[0]?.id ?? ''])).toBe(1)
  failing.clear()
  expect(await jobs.retry({ queue: 'another' })).toBe(0)
  expect(await jobs.retry({ queue: 'fragile' })).toBe(2)
  await jobs.runDue()
  expect(await site.notes()).toHaveLength(2)
})

test('a job without a limit is tried for ever', async () => {
  const stubborn: JobKind<object> = {
    name: 'test.stubborn',
    queue: fragile.queue,
    maxAttempts: Infinity,
    backoff: BACKOFF,
  }
  let attempts = 0
  jobs.handle(stubborn, {
    async step() {
      attempts += 1
      throw new Error('no')
    },
  })
  await site.enqueue(jobs, stubborn, { payload: {}, tenantId: null })
  for (let n = 0; n < 50; n += 1) {
    await jobs.runDue()
    site.clock.advance(3000)
  }
  expect(attempts).toBe(50)
  expect((await jobs.health()).dead).toEqual([])
})

test('the name and the message of an error are kept, cut short', async () => {
  failing.set('a', new PermanentJobFailure('x'.repeat(1000)))
  await enqueue('a')
  await jobs.runDue()
  const [dead] = (await jobs.health()).dead
  expect(dead?.error).toBe(`PermanentJobFailure: ${'x'.repeat(1000)}`.slice(0, 300))
})
