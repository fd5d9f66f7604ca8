import { quietTelemetry } from '@sealpost/telemetry'
import { expect, test } from 'vitest'
import { openThreads } from './threads.ts'

const heapMb = 64

function programOf(body: string): URL {
  return new URL(`data:text/javascript,${encodeURIComponent(body)}`)
}

const answering = (expression: string): string =>
  `import { parentPort } from 'node:worker_threads'; parentPort.once('message', (task) => parentPort.postMessage(${expression}))`

function threads<Answer>(expression: string, cpuMs = 10_000) {
  const { log } = quietTelemetry()
  return openThreads<unknown, Answer>({ main: programOf(answering(expression)), log, heapMb, cpuMs })
}

test('a task runs in a thread, and its answer comes back', async () => {
  expect(await threads<number>('task.length')('ana', 'four')).toEqual({ ok: true, value: 4 })
})

test('a task that uses up its CPU time, or its memory, is ended', async () => {
  const endless = threads('(() => { for (;;); })()', 300)
  expect(await endless('ana', 1)).toEqual({ ok: false, refusal: 'expensive' })
  const growing = threads('(() => { const all = []; for (;;) all.push(new Array(10_000).fill(all.length)) })()')
  expect(await growing('ana', 1)).toEqual({ ok: false, refusal: 'expensive' })
})

test('a task whose thread fails says nothing about the task', async () => {
  expect(await threads('task.none.at')('ana', 1)).toEqual({ ok: false, refusal: 'busy' })
})
