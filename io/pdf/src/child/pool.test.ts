import { ChildProcess } from 'node:child_process'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { plainPdf } from '@sealpost/pdf-format/testing'
import { listProcesses, readProcessStat } from '@sealpost/testkit'
import { afterAll, expect, test } from 'vitest'
import { openPdf } from '../index.ts'
import { openPool } from './pool.ts'

const opened: { close(): Promise<void> }[] = []
afterAll(() => Promise.all(opened.map((one) => one.close())))

function pool(...options: Parameters<typeof openPool>) {
  const made = openPool(...options)
  opened.push(made)
  return made
}

test('a job runs behind the layers of this machine, and each in another process', async () => {
  const layers: unknown[] = []
  const own = pool({ onSandbox: (found) => layers.push(found) })
  const outcomes = [await own.run({ type: 'inspect' }, plainPdf()), await own.run({ type: 'inspect' }, plainPdf(2))]
  expect(outcomes).toMatchObject([{ answer: { facts: { pages: 1 } } }, { answer: { facts: { pages: 2 } } }])
  expect(layers).toHaveLength(1)
})

test('a job that takes too long is ended, and the next one runs', async () => {
  const hurried = pool({ timeLimitMs: 1 })
  expect(await hurried.run({ type: 'inspect' }, plainPdf())).toEqual({ type: 'late' })
  const pdf = openPdf({ pool: { timeLimitMs: 1 } })
  opened.push(pdf)
  expect(await pdf.inspect(plainPdf())).toEqual({ ok: false, refusal: 'too_complex' })
})

test('a job that the process does not know crashes it, and the next one runs', async () => {
  const own = pool()
  // What no caller can send.
  expect(await own.run({ type: 'seal' } as never, plainPdf())).toEqual({ type: 'crashed' })
  expect(await own.run({ type: 'inspect' }, plainPdf())).toMatchObject({ type: 'answered' })
})

test('a job whose process is killed runs once more; killed again, it says nothing about the file', async () => {
  const before = new Set(children())
  const own = pool()
  // The first one gets the job, the second one waits for the next.
  using _first = killStarted(1)
  expect(await own.run({ type: 'inspect' }, plainPdf())).toMatchObject({ type: 'answered' })
  // Only what waits is left, and new ones do not live longer.
  for (const pid of children()) if (!before.has(pid)) process.kill(pid, 'SIGKILL')
  using _all = killStarted(Number.POSITIVE_INFINITY)
  expect(await own.run({ type: 'inspect' }, plainPdf())).toEqual({ type: 'killed' })
})

/** Kills the next processes as soon as they have started: no job ends before that. */
function killStarted(count: number): Disposable {
  let left = count
  const kill = (message: unknown): void => {
    if (!isAboutProcess(message) || left === 0) return
    left -= 1
    // Not by its `kill`: the pool knows what it has ended itself.
    message.process.once('spawn', () => process.kill(message.process.pid ?? 0, 'SIGKILL'))
  }
  subscribe('child_process', kill)
  return { [Symbol.dispose]: () => void unsubscribe('child_process', kill) }
}

function isAboutProcess(message: unknown): message is { readonly process: ChildProcess } {
  return (
    typeof message === 'object' && message !== null && 'process' in message && message.process instanceof ChildProcess
  )
}

/** Of this process, oldest first. */
function children(): readonly number[] {
  return listProcesses().filter((pid) => readProcessStat(pid)?.parent === process.pid)
}

test('one more than may wait is told so; all that wait are answered', async () => {
  const small = pool({ maxRunning: 1, maxWaiting: 1 })
  const outcomes = await Promise.all([1, 2, 3].map(() => small.run({ type: 'inspect' }, plainPdf())))
  expect(outcomes.map(({ type }) => type)).toEqual(['answered', 'answered', 'busy'])
})

test('a closed pool takes no job', async () => {
  const own = openPool()
  await own.run({ type: 'inspect' }, plainPdf())
  await own.close()
  await expect(own.run({ type: 'inspect' }, plainPdf())).rejects.toThrow('closed')
})
