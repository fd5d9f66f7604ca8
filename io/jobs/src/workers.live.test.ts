import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { instant } from '@sealpost/kernel'
import { openJobSite } from '@sealpost/testkit/job-site'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import type { JobKind } from './contract.ts'
import type { Jobs } from './jobs.ts'
import { crashing } from './testing/crashing-kind.ts'
import { hangingHandler } from './testing/hanging-handler.ts'

const WORKER = fileURLToPath(new URL('testing/crashing-worker.ts', import.meta.url))
const plain: JobKind<{ readonly n: number }> = { name: 'test.plain', queue: { name: 'plain', concurrency: 4 } }

const site = await openJobSite()

beforeEach(() => site.query('truncate jobs.job, public.note'))

function plainWorker(): Jobs {
  const worker = site.worker()
  worker.handle(plain, {
    async step(tx, { payload }) {
      await site.note(tx, `${payload.n}`)
      return { next: 'done' }
    },
  })
  return worker
}

const some = (count: number) => Array.from({ length: count }, (_, n) => ({ payload: { n }, tenantId: null }))
const noted = async () => (await site.notes()).length

test('several workers share the jobs and none is done twice', async () => {
  const workers = [plainWorker(), plainWorker(), plainWorker()]
  await site.enqueue(workers[0] ?? plainWorker(), plain, some(200))
  await Promise.all(workers.map((worker) => worker.start()))
  await expect.poll(noted).toBe(200)
  expect(new Set(await site.notes()).size).toBe(200)
  await Promise.all(workers.map((worker) => worker.close()))
})

test('a worker is woken by a transaction of another process', async () => {
  const [api, worker] = [site.worker(), plainWorker()]
  await worker.start({ databaseUrl: site.url })
  await site.enqueue(api, plain, some(1))
  await expect.poll(noted).toBe(1)
  await worker.close()
})

test('a running worker begins a delayed job when its time has come', async () => {
  const worker = plainWorker()
  onTestFinished(() => worker.close())
  await worker.start()
  const notBefore = instant(site.clock.now() + 60_000)
  await site.enqueue(worker, plain, { payload: { n: 1 }, tenantId: null, notBefore })
  site.clock.advance(60_000)
  await expect.poll(noted).toBe(1)
})

test('a worker that is killed loses nothing: another one goes on from the cursor after the lease', async () => {
  const worker = site.worker()
  await site.enqueue(worker, crashing, { payload: {}, tenantId: null })
  const child = spawn(process.execPath, [WORKER, site.url], { stdio: ['ignore', 'pipe', 'inherit'] })
  await once(child.stdout, 'data')
  child.kill('SIGKILL')
  await once(child, 'close')
  worker.handle(crashing, {
    async step(tx, { cursor, attempts }) {
      await site.note(tx, `from ${cursor} at attempt ${attempts}`)
      return { next: 'done' }
    },
  })
  await worker.start({ databaseUrl: site.url, recoverEveryMs: 200 })
  await expect.poll(() => site.notes()).toEqual(['from 1 at attempt 2'])
  await worker.close()
})

/** A job in the hands of a worker that hangs; its step writes `late` once `goOn` is called. */
async function hangingJob(): Promise<{ readonly ended: Promise<void>; goOn(): void }> {
  const [worker, hanging] = [site.worker(), hangingHandler((tx) => site.note(tx, 'late'))]
  worker.handle(plain, hanging.handler)
  await site.enqueue(worker, plain, some(1))
  const ended = worker.runDue(1)
  await hanging.begun
  return { ended, goOn: () => hanging.goOn() }
}

test('a worker that comes back after its lease writes nothing, while another one has the job and after it is done', async () => {
  const hanging = await hangingJob()
  await site.query(`update jobs.job set lease_until = clock_timestamp() - interval '1 second'`)
  await plainWorker().runDue()
  expect(await site.notes()).toEqual(['0'])
  hanging.goOn()
  await hanging.ended
  expect(await site.notes()).toEqual(['0'])
})

test('a job whose lease has lapsed and that no worker has claimed yet is not written by its old worker either', async () => {
  const hanging = await hangingJob()
  await site.query(`update jobs.job set state = 'waiting', lease_until = null`)
  hanging.goOn()
  await hanging.ended
  expect(await site.notes()).toEqual([])
  await plainWorker().runDue()
  expect(await site.notes()).toEqual(['0'])
})

test('a job that kills its workers again and again is dead after its last attempt', async () => {
  const deadly: JobKind<object> = { name: 'test.deadly', queue: plain.queue, maxAttempts: 2 }
  const worker = site.worker()
  worker.handle(deadly, { step: async () => ({ next: 'done' }) })
  await site.enqueue(worker, deadly, { payload: {}, tenantId: null })
  await site.query(
    `update jobs.job set state = 'running', attempts = 2, lease_until = clock_timestamp() - interval '1 second'`,
  )
  await worker.runDue()
  expect((await worker.health()).dead).toMatchObject([{ attempts: 2, error: 'its worker died or lost its database' }])
})

test('a long job keeps its lease as long as its worker lives', async () => {
  const long: JobKind<object> = { name: 'test.long', queue: { name: 'long', concurrency: 1, leaseMs: 300 } }
  const over = Promise.withResolvers<void>()
  const [worker, other] = [site.worker(), site.worker()]
  let attempts = 0
  for (const one of [worker, other]) {
    one.handle(long, {
      async prepare() {
        attempts += 1
        await over.promise
      },
      step: async () => ({ next: 'done' }),
    })
  }
  await site.enqueue(worker, long, { payload: {}, tenantId: null })
  await Promise.all([worker, other].map((one) => one.start({ recoverEveryMs: 50 })))
  const leaseEnd = async () => {
    const [row] = await site.query<{ ms: number }>(
      'select extract(epoch from lease_until)::float8 * 1000 as ms from jobs.job',
    )
    return row?.ms ?? 0
  }
  await expect.poll(leaseEnd).toBeGreaterThan(0)
  const first = await leaseEnd()
  await expect.poll(leaseEnd).toBeGreaterThan(first + 900)
  expect(attempts).toBe(1)
  over.resolve()
  await expect.poll(async () => (await site.query('select 1 from jobs.job')).length).toBe(0)
  await Promise.all([worker, other].map((one) => one.close()))
})

test('closing tells running jobs to end and gives back what has not ended, without a failed attempt', async () => {
  const begun = Promise.withResolvers<void>()
  const worker = site.worker()
  worker.handle(plain, {
    prepare: (_job, signal) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(new Error('told to end')))
        begun.resolve()
      }),
    step: async () => ({ next: 'done' }),
  })
  await site.enqueue(worker, plain, some(1))
  await worker.start()
  await begun.promise
  await worker.close()
  expect(await site.query('select state, attempts, error from jobs.job')).toEqual([
    { state: 'waiting', attempts: 0, error: null },
  ])
})
