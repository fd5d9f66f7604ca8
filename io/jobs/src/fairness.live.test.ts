import { openJobSite } from '@sealpost/testkit/job-site'
import { beforeEach, expect, test } from 'vitest'
import type { JobKind, JobQueue } from './contract.ts'
import type { Jobs } from './jobs.ts'

const tenant = (n: number): string => `0196a8c4-5e6f-7a10-8b2c-${String(n).padStart(12, '0')}`
const [A, B, C] = [tenant(1), tenant(2), tenant(3)]
const NAMES = new Map([
  [A, 'A'],
  [B, 'B'],
  [C, 'C'],
])

const site = await openJobSite()
let jobs: Jobs

beforeEach(async () => {
  await site.query('truncate jobs.job, public.note')
  jobs = site.worker()
})

function kindOn(queue: JobQueue): JobKind<{ readonly n: number }> {
  return { name: `test.${queue.name}`, queue }
}

function handle(kind: JobKind<{ readonly n: number }>): void {
  jobs.handle(kind, {
    async step(tx, { tenantId, payload }) {
      await site.note(tx, `${NAMES.get(tenantId ?? '') ?? '-'}${payload.n}`)
      return { next: 'done' }
    },
  })
}

const some = (count: number, tenantId: string | null) =>
  Array.from({ length: count }, (_, n) => ({ payload: { n }, tenantId }))

test('tenants take turns, however many jobs one of them has waiting', async () => {
  const kind = kindOn({ name: 'turns', concurrency: 1 })
  handle(kind)
  await site.enqueue(jobs, kind, [...some(6, A), ...some(2, B), ...some(2, C), ...some(1, null)])
  await jobs.runDue()
  const order = (await site.notes()).join(' ')
  expect(order).toBe('A0 B0 C0 -0 A1 B1 C1 A2 A3 A4 A5')
})

test('a tenant that comes late does not wait for those who were there before', async () => {
  const kind = kindOn({ name: 'late', concurrency: 1 })
  handle(kind)
  await site.enqueue(jobs, kind, some(100, B))
  await jobs.runDue(10)
  await site.enqueue(jobs, kind, some(3, A))
  await jobs.runDue(10)
  expect((await site.notes()).filter((text) => text.startsWith('A'))).toEqual(['A0', 'A1', 'A2'])
})

test('free places go to the tenant that has jobs', async () => {
  const kind = kindOn({ name: 'alone', concurrency: 4 })
  let [running, most] = [0, 0]
  jobs.handle(kind, {
    async prepare() {
      running += 1
      most = Math.max(most, running)
      await new Promise((resolve) => void setImmediate(resolve))
      running -= 1
    },
    step: async () => ({ next: 'done' }),
  })
  await site.enqueue(jobs, kind, some(12, A))
  await jobs.runDue()
  expect(most).toBe(4)
})

test('where a tenant may have only some of the places, another one finds a place beside its long jobs', async () => {
  const kind = kindOn({ name: 'shared', concurrency: 3, perTenant: 2 })
  const begun: string[] = []
  const over = Promise.withResolvers<void>()
  jobs.handle(kind, {
    async prepare({ tenantId, payload }) {
      begun.push(`${NAMES.get(tenantId ?? '') ?? ''}${payload.n}`)
      if (tenantId === A) await over.promise
    },
    step: async () => ({ next: 'done' }),
  })
  await site.enqueue(jobs, kind, some(5, A))
  await jobs.start()
  await expect.poll(() => begun.length).toBe(2)
  await site.enqueue(jobs, kind, some(3, B))
  await expect.poll(() => begun.filter((name) => name.startsWith('B'))).toEqual(['B0', 'B1', 'B2'])
  expect(begun.filter((name) => name.startsWith('A'))).toEqual(['A0', 'A1'])
  over.resolve()
  await expect.poll(() => begun.length).toBe(8)
  await jobs.close()
})
