import { instant } from '@sealpost/kernel'
import { openJobSite } from '@sealpost/testkit/job-site'
import { beforeEach, expect, test } from 'vitest'
import { type JobKind, PermanentJobFailure } from './contract.ts'
import type { Jobs } from './jobs.ts'

interface Line {
  readonly key: string
  readonly n: number
  readonly fails?: boolean
}
const line: JobKind<Line> = { name: 'test.line', queue: { name: 'lines', concurrency: 8 } }

const site = await openJobSite()
let jobs: Jobs
let running: Map<string, number>
let mostAtOnce = 0
let mayFail = true

beforeEach(async () => {
  await site.query('truncate jobs.job, public.note')
  running = new Map()
  mostAtOnce = 0
  mayFail = true
  jobs = openWorker()
})

function openWorker(): Jobs {
  const worker = site.worker()
  worker.handle(line, {
    async prepare({ payload: { key } }) {
      running.set(key, (running.get(key) ?? 0) + 1)
      mostAtOnce = Math.max(mostAtOnce, running.get(key) ?? 0)
      await new Promise((resolve) => void setImmediate(resolve))
    },
    async step(tx, { payload: { key, n, fails } }) {
      running.set(key, (running.get(key) ?? 0) - 1)
      if (fails === true && mayFail) throw new PermanentJobFailure('stuck')
      await site.note(tx, `${key}${n}`)
      return { next: 'done' }
    },
  })
  return worker
}

const put = (key: string, n: number, fails = false) =>
  site.enqueue(jobs, line, { payload: { key, n, fails }, tenantId: null, key })

const ofKey = async (key: string) => (await site.notes()).filter((text) => text.startsWith(key))

test('jobs of one key run one at a time and in order, also with several workers; other keys do not wait', async () => {
  const others = [openWorker(), openWorker()]
  for (let n = 0; n < 10; n += 1) for (const key of ['a', 'b', 'c']) await put(key, n)
  await Promise.all([jobs, ...others].map((worker) => worker.start()))
  await expect.poll(async () => (await site.notes()).length).toBe(30)
  for (const key of ['a', 'b', 'c']) {
    expect(await ofKey(key)).toEqual(Array.from({ length: 10 }, (_, n) => `${key}${n}`))
  }
  expect(mostAtOnce).toBe(1)
  await Promise.all([jobs, ...others].map((worker) => worker.close()))
})

test('many of one key in one call keep their order', async () => {
  await site.enqueue(
    jobs,
    line,
    [0, 1, 2, 3].map((n) => ({ payload: { key: 'a', n }, tenantId: null, key: 'a' })),
  )
  await jobs.runDue()
  expect(await site.notes()).toEqual(['a0', 'a1', 'a2', 'a3'])
})

test('the order is that of the commits: a second transaction waits for the first one of its key', async () => {
  const isIn = Promise.withResolvers<void>()
  const goOn = Promise.withResolvers<void>()
  const first = site.database.transaction(async (tx) => {
    await jobs.enqueue(tx, line, { payload: { key: 'a', n: 0 }, tenantId: null, key: 'a' })
    isIn.resolve()
    await goOn.promise
  })
  await isIn.promise
  const second = put('a', 1)
  await put('b', 0)
  await jobs.runDue()
  expect(await site.notes()).toEqual(['b0'])
  goOn.resolve()
  await Promise.all([first, second])
  await jobs.runDue()
  expect(await ofKey('a')).toEqual(['a0', 'a1'])
})

test('a dead job holds its key until an operator acts, and no other key', async () => {
  await put('a', 0, true)
  await put('a', 1)
  await put('b', 0)
  await jobs.runDue()
  expect(await site.notes()).toEqual(['b0'])
  const { queues, dead } = await jobs.health()
  expect(queues).toMatchObject([{ blocked: 1, dead: 1 }])
  mayFail = false
  await jobs.retry({ ids: dead.map(({ id }) => id) })
  await jobs.runDue()
  expect(await ofKey('a')).toEqual(['a0', 'a1'])
})

test('discarding a dead job lets the next one of its key go', async () => {
  await put('a', 0, true)
  await put('a', 1)
  await jobs.runDue()
  const { dead } = await jobs.health()
  await jobs.discard(dead.map(({ id }) => id))
  await jobs.runDue()
  expect(await site.notes()).toEqual(['a1'])
})

test('all jobs of a key can be cancelled, and later ones run', async () => {
  for (let n = 0; n < 3; n += 1) await put('a', n)
  await put('b', 0)
  expect(await site.database.transaction((tx) => jobs.cancelKeys(tx, line.queue, ['a']))).toBe(3)
  await put('a', 9)
  await jobs.runDue()
  expect((await site.notes()).toSorted()).toEqual(['a9', 'b0'])
})

test('a blocked job that is not due yet waits for its time', async () => {
  await put('a', 0)
  await site.enqueue(jobs, line, {
    payload: { key: 'a', n: 1 },
    tenantId: null,
    key: 'a',
    notBefore: instant(site.clock.now() + 1000),
  })
  await jobs.runDue()
  expect(await site.notes()).toEqual(['a0'])
  site.clock.advance(1000)
  await jobs.runDue()
  expect(await site.notes()).toEqual(['a0', 'a1'])
})

test('however enqueuing and completing race, no job of a key is left behind', async () => {
  await jobs.start()
  const others = [openWorker(), openWorker()]
  await Promise.all(others.map((worker) => worker.start()))
  await Promise.all(
    ['a', 'b'].map(async (key) => {
      for (let n = 0; n < 60; n += 1) await put(key, n)
    }),
  )
  await expect.poll(async () => (await site.notes()).length).toBe(120)
  expect(await ofKey('a')).toEqual(Array.from({ length: 60 }, (_, n) => `a${n}`))
  expect(mostAtOnce).toBe(1)
  await Promise.all([jobs, ...others].map((worker) => worker.close()))
})
