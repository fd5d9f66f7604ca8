import { ChildProcess } from 'node:child_process'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { plainPdf, templatePdf, textAt } from '@sealpost/pdf-format/testing'
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
  const outcomes = [
    await own.run('ana', { type: 'inspect' }, plainPdf()),
    await own.run('ana', { type: 'inspect' }, plainPdf(2)),
  ]
  expect(outcomes).toMatchObject([{ answer: { facts: { pages: 1 } } }, { answer: { facts: { pages: 2 } } }])
  expect(layers).toHaveLength(1)
})

test('a job that uses up its CPU time is ended', async () => {
  const hurried = pool({ cpuSeconds: 1 })
  const values = { town: 'é'.repeat(1_000_000) }
  const template = templatePdf({ contents: [textAt(40, 700, '({{town}}) Tj')] })
  expect(await hurried.run('ana', { type: 'fill', values }, template)).toEqual({ type: 'crashed' })
})

test('a file whose process gets no CPU time is not refused: the machine is busy', async () => {
  const pdf = openPdf({ pool: { stuckMs: 1 } })
  opened.push(pdf)
  expect(await pdf.inspect('ana', plainPdf())).toEqual({ ok: false, refusal: 'busy' })
})

test('the files of one company wait for each other, and the file of another for none of them', async () => {
  const own = pool({ places: 2, mostWaiting: 4 })
  const done: string[] = []
  const read = async (owner: string) => {
    const { type } = await own.run(owner, { type: 'inspect' }, plainPdf())
    done.push(`${owner} ${type}`)
  }
  await Promise.all([...Array.from({ length: 5 }, () => read('greedy')), read('ana')])
  const answered = done.filter((one) => one.endsWith('answered'))
  // One runs and two wait, which is half of the line; the others are told so.
  expect(done.filter((one) => one === 'greedy busy')).toHaveLength(2)
  expect(answered).toHaveLength(4)
  // In one line for all it would be the last.
  expect(answered.indexOf('ana answered')).toBeLessThan(3)
})

test('a job that the process does not know crashes it, and the next one runs', async () => {
  const own = pool()
  // What no caller can send.
  expect(await own.run('ana', { type: 'seal' } as never, plainPdf())).toEqual({ type: 'crashed' })
  expect(await own.run('ana', { type: 'inspect' }, plainPdf())).toMatchObject({ type: 'answered' })
})

test('a job whose process is killed runs once more; killed again, it says nothing about the file', async () => {
  const before = new Set(children())
  const own = pool()
  // The first one gets the job, the second one waits for the next.
  using _first = killStarted(1)
  expect(await own.run('ana', { type: 'inspect' }, plainPdf())).toMatchObject({ type: 'answered' })
  // Only what waits is left, and new ones do not live longer.
  for (const pid of children()) if (!before.has(pid)) process.kill(pid, 'SIGKILL')
  using _all = killStarted(Number.POSITIVE_INFINITY)
  expect(await own.run('ana', { type: 'inspect' }, plainPdf())).toEqual({ type: 'killed' })
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
  const small = pool({ places: 1, mostWaiting: 1 })
  const outcomes = await Promise.all(
    ['ana', 'ben', 'cleo'].map((owner) => small.run(owner, { type: 'inspect' }, plainPdf())),
  )
  expect(outcomes.map(({ type }) => type)).toEqual(['answered', 'answered', 'busy'])
})

test('a closed pool takes no job', async () => {
  const own = openPool()
  await own.run('ana', { type: 'inspect' }, plainPdf())
  await own.close()
  await expect(own.run('ana', { type: 'inspect' }, plainPdf())).rejects.toThrow('closed')
})
