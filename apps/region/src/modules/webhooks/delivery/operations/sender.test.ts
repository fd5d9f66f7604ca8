import type { Egress, EgressRequest } from '@sealpost/egress'
import { accept, decline, type EventId, type ServiceId, type UserId, type WebhookId } from '@sealpost/kernel'
import { quietTelemetry } from '@sealpost/telemetry'
import { fixedClock, fixedIds } from '@sealpost/testkit'
import { expect, test } from 'vitest'
import type { ClaimedQueue, PendingBatch, PendingEvent } from '../../../feed/index.ts'
import type { FoundEndpoint } from './endpoint-cache.ts'
import { prepareEndpoint } from './message.ts'
import type { Outcome, WrittenOutcome } from './outcome-writer.ts'
import { runSender, type SenderContext } from './sender.ts'

const clock = fixedClock()
const ids = fixedIds(clock)
const name = { companyId: ids.uuid<UserId>(), serviceId: ids.uuid<ServiceId>(), webhookId: ids.uuid<WebhookId>() }
const claimed: ClaimedQueue = {
  name,
  channel: 1,
  token: 1,
  epoch: 1,
  state: 'running',
  leasedForMs: 30_000,
  transition: null,
}

interface Run {
  readonly sent: number
  readonly reports: readonly Outcome['report'][]
}

/** One sender over so many events, with an outcome writer that answers `answer`. */
async function run(
  events: number,
  answer: (count: number) => Partial<WrittenOutcome>,
  more: Partial<SenderContext> = {},
): Promise<Run> {
  const batches = [batchOf(events), batchOf(0), batchOf(0)]
  const reports: Outcome['report'][] = []
  let sent = 0
  const context: SenderContext = {
    clock,
    ids,
    settings: { WEBHOOK_CAUSES: 'all', WEBHOOK_CONNECT_MS: 5_000, WEBHOOK_TOTAL_MS: 10_000 },
    log: quietTelemetry().log,
    webhookEgress: {
      sendForStatus: async () => accept({ status: ((sent += 1), 200), timings: TIMINGS }),
    } as unknown as Egress,
    feed: feedOf(),
    isPaused: async () => false,
    monotonicMs: () => 0,
    isStopping: () => false,
    watch: { stateIs() {}, mayStay: () => true, inFlight() {} },
    metrics: { attempted() {}, left() {}, written() {} },
    failures: { failed() {}, delivered() {} },
    batches: { load: async () => batches.shift() ?? null },
    endpoints: { find: async () => endpoint() },
    outcomes: {
      hurry() {},
      drained: async () => {},
      async write({ report }) {
        reports.push(report)
        return { ...WRITTEN, ...answer(reports.length) }
      },
    },
    ...more,
  }
  await runSender(context, claimed, 30_000)
  return { sent, reports }
}

const TIMINGS = { resolvedMs: 0, connectedMs: 0, answeredMs: 0, totalMs: 0 }
const WRITTEN: WrittenOutcome = {
  name,
  isMine: true,
  epoch: 1,
  state: 'running',
  transition: null,
  mayGoOn: true,
  leasedForMs: 30_000,
  leaseEndsMs: 30_000,
}

function batchOf(count: number): PendingBatch {
  const events = Array.from({ length: count }, (_, index): PendingEvent => ({
    id: ids.uuid<EventId>(),
    no: index + 1,
    kind: 'connection_deleted',
    connectionId: ids.uuid(),
    payload: { person_user_id: ids.uuid(), share_code: null, customer_type: 'person' },
    at: clock.now(),
    isParked: false,
  }))
  return { events, scannedTo: count, blockedForMs: null }
}

function feedOf(): SenderContext['feed'] {
  const { log } = quietTelemetry()
  return {
    clock,
    ids,
    log,
    resolvers: {},
    runAfterAnswer() {},
    idle: async () => {},
  } as unknown as SenderContext['feed']
}

function endpoint(): Promise<FoundEndpoint> {
  const auth = { type: 'none' } as const
  const url = 'http://127.0.0.1/'
  return prepareEndpoint('Platform', { name, url, format: 'json', isEncrypted: false, accountKey: null, auth })
}

test('outcomes are reported one by one, the last with the end of the batch', async () => {
  const { sent, reports } = await run(3, (count) => ({ mayGoOn: count < 3 }))
  expect(sent).toBe(3)
  expect(reports.map(({ sent: what }) => what)).toEqual([1, 2, 3].map((no) => ({ no, outcome: 'delivered' })))
  expect(reports.map(({ end }) => end)).toEqual([null, null, { scannedTo: 3, blockedForMs: null }])
})

test('after a late answer of the database nothing is sent: the lease may have ended', async () => {
  const { sent, reports } = await run(5, () => ({ leaseEndsMs: 11_000 }))
  expect(sent).toBe(1)
  expect(reports.at(-1)).toMatchObject({ sent: null, isRelease: true })
})

test('nothing is sent once another worker holds the queue, or the outcome was given up', async () => {
  expect((await run(5, () => ({ isMine: false }))).sent).toBe(1)
  const givenUp = await run(5, () => ({}), {
    outcomes: { hurry() {}, drained: async () => {}, write: async () => null },
  })
  expect(givenUp.sent).toBe(1)
})

test('a new epoch is followed before the next event', async () => {
  const { sent, reports } = await run(5, (count) => ({ epoch: 2, mayGoOn: count < 2 }))
  expect(sent).toBe(1)
  expect(reports.at(-1)).toMatchObject({ epoch: 2, sent: null, end: { scannedTo: 0 } })
})

test('paused writes and the end of the process release the queue before the next event', async () => {
  const paused = await run(5, () => ({}), { isPaused: async () => true })
  expect(paused).toMatchObject({ sent: 0, reports: [{ sent: null, isRelease: true }] })
  const stopping = await run(5, () => ({}), { isStopping: () => true })
  expect(stopping).toMatchObject({ sent: 0, reports: [{ sent: null, isRelease: true }] })
})

test('a failed read is retried while the lease allows, and not longer', async () => {
  let reads = 0
  const again = await run(1, () => ({ mayGoOn: false }), {
    batches: {
      async load() {
        reads += 1
        if (reads === 1) throw new Error('no database for a moment')
        return batchOf(1)
      },
    },
  })
  expect([reads, again.sent]).toEqual([2, 1])
  const failing = run(1, () => ({}), {
    monotonicMs: () => 18_000,
    batches: { load: () => Promise.reject(new Error('no database at all')) },
  })
  await expect(failing).rejects.toThrow('no database at all')
})

test('an event whose rendering fails for a moment is rendered again and sent, never skipped', async () => {
  let reads = 0
  const database = {
    async read(work: () => unknown) {
      reads += 1
      if (reads === 1) throw new Error('no database for a moment')
      return work()
    },
  }
  const resolve = async (_read: unknown, _owner: unknown, events: readonly PendingEvent[]) =>
    new Map(events.map(({ id, kind }) => [id, { event: kind, members: {} }]))
  const feed = { ...feedOf(), database, resolvers: { connection_deleted: { resolve } } }
  const { sent, reports } = await run(2, (count) => ({ mayGoOn: count < 2 }), {
    feed: feed as unknown as SenderContext['feed'],
  })
  expect(sent).toBe(2)
  expect(reports.map(({ sent: what }) => what?.outcome)).toEqual(['delivered', 'delivered'])
})

test('an event that was not sent before the end of the lease has no outcome and is left to the next holder', async () => {
  let nowMs = 0
  const webhookEgress = {
    async sendForStatus({ mayLeave }: EgressRequest) {
      // The process was suspended while it connected.
      nowMs = 29_000
      return mayLeave?.() === false ? decline({ kind: 'aborted' }) : accept({ status: 200, timings: TIMINGS })
    },
  } as unknown as Egress
  const { reports } = await run(3, () => ({}), { webhookEgress, monotonicMs: () => nowMs })
  expect(reports).toMatchObject([{ sent: null, isRelease: true }])
})

test('a sender whose slot others need releases its queue after an event, with its outcome', async () => {
  let calls = 0
  const watch = { stateIs() {}, inFlight() {}, mayStay: () => (calls += 1) < 2 }
  const { sent, reports } = await run(5, () => ({}), { watch })
  expect(sent).toBe(2)
  expect(reports).toMatchObject([
    { sent: { outcome: 'delivered' }, isRelease: false },
    { sent: { outcome: 'delivered' }, isRelease: true },
  ])
})
