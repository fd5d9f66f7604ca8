import { expect, test } from 'vitest'
import { fakeTime, refusal } from '../../test/stub-platform.ts'
import { definition, RUN, runWith } from '../../test/stub-run.ts'
import type { Reply } from '../../test/stub-server.ts'
import { startStubService } from '../../test/stub-service.ts'
import type { RunProgress } from '../index.ts'

const flow = definition({ nodes: [{ key: 'first', party: 'us', title: '', elements: [] }] })

test('a wait reports every state, slows down while nothing changes and goes on after a 503', async () => {
  const time = fakeTime()
  const waiting = { status: 200, json: runWith(flow, { status: 'awaiting_customer', current_node: 'before' }) }
  const states = [...Array.from({ length: 12 }, () => waiting), refusal(503, 'platform.busy')]
  let reads = 0
  await using stub = await startStubService(
    ({ path }) => {
      if (!path.includes('/flow-runs/')) return { status: 404 }
      return states[reads++] ?? { status: 200, json: runWith(flow) }
    },
    { ...time, maxWaitSeconds: 0 },
  )
  const progress: RunProgress[] = []
  const run = await stub.client.flows.waitForTurn(RUN, { onProgress: (step) => void progress.push(step) })
  expect(run.status).toBe('awaiting_us')
  expect(progress.map((step) => (step.kind === 'state' ? step.run.status : step.kind))).toEqual([
    'awaiting_customer',
    'no_answer',
    'awaiting_us',
  ])
  expect(time.waitedSeconds.slice(0, 4)).toEqual([2, 3, 4.5, 6.75])
  expect(Math.max(...time.waitedSeconds)).toBe(30)
})

test('a wait ends with the run, by an abort, and with a refusal that no repeat can change', async () => {
  const time = fakeTime()
  let reply: Reply = { status: 200, json: runWith(flow, { status: 'cancelled' }) }
  await using stub = await startStubService(() => reply, time)
  const { flows } = stub.client
  expect((await flows.waitForTurn(RUN)).status).toBe('cancelled')
  expect((await flows.waitForEnd(RUN)).status).toBe('cancelled')
  reply = refusal(404, 'flows.run_not_found')
  await expect(flows.waitForEnd(RUN)).rejects.toMatchObject({ key: 'flows.run_not_found' })
  reply = { status: 200, json: runWith(flow) }
  const controller = new AbortController()
  const reason = new Error('enough')
  const onProgress = (): void => controller.abort(reason)
  await expect(flows.waitForEnd(RUN, { signal: controller.signal, onProgress })).rejects.toBe(reason)
})
