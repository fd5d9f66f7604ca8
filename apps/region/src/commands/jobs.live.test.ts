import { type JobKind, openJobs, PermanentJobFailure } from '@sealpost/jobs'
import { openWorld } from '@sealpost/testkit'
import { expect, test } from 'vitest'
import { diagnose } from './doctor/index.ts'
import { operate } from './operate/index.ts'

const world = await openWorld({ own: true })
const { platform } = world.eu
const doctor = (...args: readonly string[]) => diagnose(world.eu, args, () => Promise.resolve())
const kind: JobKind<{ readonly no: number }> = { name: 'test.draw', queue: { name: 'test', concurrency: 1 } }

/** A process with a handler of its own, which fails for good while `isBroken`. */
function openWorker(isBroken: () => boolean, done: number[]) {
  const jobs = openJobs(platform)
  jobs.handle(kind, {
    async step(_tx, { payload }) {
      if (isBroken()) throw new PermanentJobFailure('the pen is empty')
      done.push(payload.no)
      return { next: 'done' }
    },
  })
  return jobs
}

test('a dead job is reported with its cause, tried again or forgotten by its id', async () => {
  let isBroken = true
  const done: number[] = []
  const jobs = openWorker(() => isBroken, done)
  const [first, second] = [platform.ids.uuid(), platform.ids.uuid()]
  const tenantId = platform.ids.uuid()
  await platform.database.transaction((tx) =>
    jobs.enqueue(
      tx,
      kind,
      [first, second].map((id, no) => ({ id, payload: { no }, tenantId })),
    ),
  )
  expect(await doctor('jobs')).toContain(`test: 2 waiting, the oldest due since ${world.time()}; 0 running`)
  await jobs.runDue()
  expect(await doctor('jobs')).toContain('test: 0 waiting; 0 running, 0 delayed, 0 behind another of their key, 2 dead')
  expect(await doctor()).toContain(
    `job ${first} (test.draw of ${tenantId}) is dead after 1 attempts, the last ${world.time()}: PermanentJobFailure: the pen is empty`,
  )

  isBroken = false
  expect(await operate(world.eu, ['jobs:retry', first])).toBe('1 job is tried again')
  await jobs.runDue()
  expect(done).toEqual([0])
  expect(await operate(world.eu, ['jobs:discard', second])).toBe('forgot 1 of 1 jobs')
  expect(await operate(world.eu, ['jobs:discard', second])).toBe('forgot 0 of 1 jobs')
  expect(await doctor()).toMatch(/^no message is blocked\nstandbys: /)
})

test('all dead jobs of a queue are tried again by its name; wrong arguments get a hint', async () => {
  const done: number[] = []
  let isBroken = true
  const jobs = openWorker(() => isBroken, done)
  await platform.database.transaction((tx) =>
    jobs.enqueue(
      tx,
      kind,
      [1, 2].map((no) => ({ payload: { no }, tenantId: null })),
    ),
  )
  await jobs.runDue()
  isBroken = false
  expect(await operate(world.eu, ['jobs:retry', 'test'])).toBe('2 jobs are tried again')
  await jobs.runDue()
  expect(new Set(done)).toEqual(new Set([1, 2]))
  await expect(operate(world.eu, ['jobs:retry', 'test'])).rejects.toThrow('no dead job is called test')
  await expect(operate(world.eu, ['jobs:retry'])).rejects.toThrow(
    'name jobs or a queue: jobs:retry <job id …> | <queue>',
  )
  await expect(operate(world.eu, ['jobs:discard', 'x'])).rejects.toThrow('x is not the id of a job')
  await expect(doctor('job')).rejects.toThrow(
    'otherwise: jobs, objects, events, event <event id>, or webhook <webhook id>',
  )
})
