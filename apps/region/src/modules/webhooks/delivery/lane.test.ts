import type { Egress, EgressRequest } from '@sealpost/egress'
import { accept, decline, type EventId, type ServiceId, type UserId, type WebhookId } from '@sealpost/kernel'
import { quietTelemetry } from '@sealpost/telemetry'
import { fixedClock, fixedIds } from '@sealpost/testkit'
import { expect, test } from 'vitest'
import type { ClaimedOutlet, OutletBatch, OutletEvent } from '../../feed/index.ts'
import type { FoundEndpoint } from './endpoints.ts'
import { type LaneNeeds, runLane } from './lane.ts'
import type { Outcome, Settlement } from './ledger.ts'
import { prepareEndpoint } from './message.ts'

const clock = fixedClock()
const ids = fixedIds(clock)
const name = { companyId: ids.uuid<UserId>(), serviceId: ids.uuid<ServiceId>(), webhookId: ids.uuid<WebhookId>() }
const claimed: ClaimedOutlet = {
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
  readonly settled: readonly Outcome['report'][]
}

/** One lane over so many events, with a ledger that answers as told. */
async function run(
  events: number,
  answer: (settles: number) => Partial<Settlement>,
  more: Partial<LaneNeeds> = {},
): Promise<Run> {
  const batches = [batchOf(events), batchOf(0), batchOf(0)]
  const settled: Outcome['report'][] = []
  let sent = 0
  const needs: LaneNeeds = {
    clock,
    ids,
    telemetry: quietTelemetry(),
    egress: {
      sendForStatus: async () => accept({ status: ((sent += 1), 200), timings: TIMINGS }),
    } as unknown as Egress,
    feed: feedOf(),
    isPaused: async () => false,
    monotonicMs: () => 0,
    isStopping: () => false,
    watch: { stateIs() {}, mayStay: () => true, inFlight() {} },
    metrics: { attempted() {}, left() {}, settled() {} },
    batches: { ask: async () => batches.shift() ?? null },
    endpoints: { find: async () => endpoint() },
    ledger: {
      hurry() {},
      drained: async () => {},
      async settle({ report }) {
        settled.push(report)
        return { ...SETTLED, ...answer(settled.length) }
      },
    },
    ...more,
  }
  await runLane(needs, claimed, 30_000)
  return { sent, settled }
}

const TIMINGS = { resolvedMs: 0, connectedMs: 0, answeredMs: 0, totalMs: 0 }
const SETTLED: Settlement = {
  name,
  isMine: true,
  epoch: 1,
  state: 'running',
  transition: null,
  mayGoOn: true,
  leasedForMs: 30_000,
  leaseEndsMs: 30_000,
}

function batchOf(count: number): OutletBatch {
  const events = Array.from({ length: count }, (_, index): OutletEvent => ({
    id: ids.uuid<EventId>(),
    no: index + 1,
    kind: 'connection_deleted',
    connectionId: ids.uuid(),
    payload: { person_user_id: ids.uuid(), share_code: null, customer_type: 'person' },
    at: clock.now(),
    isParked: false,
  }))
  return { events, lookedTo: count, blockedForMs: null }
}

function feedOf(): LaneNeeds['feed'] {
  const { log } = quietTelemetry()
  return { clock, ids, log, resolvers: {}, afterwards() {}, settled: async () => {} } as unknown as LaneNeeds['feed']
}

function endpoint(): Promise<FoundEndpoint> {
  const auth = { type: 'none' } as const
  const url = 'http://127.0.0.1/'
  return prepareEndpoint('Platform', { name, url, format: 'json', isEncrypted: false, accountKey: null, auth })
}

test('events are settled one by one, the last with the end of the batch', async () => {
  const { sent, settled } = await run(3, (settles) => ({ mayGoOn: settles < 3 }))
  expect(sent).toBe(3)
  expect(settled.map(({ sent: what }) => what)).toEqual([1, 2, 3].map((no) => ({ no, outcome: 'delivered' })))
  expect(settled.map(({ end }) => end)).toEqual([null, null, { lookedTo: 3, blockedForMs: null }])
})

test('after an answer of the database that came late nothing is sent: the lease may be over', async () => {
  const { sent, settled } = await run(5, () => ({ leaseEndsMs: 11_000 }))
  expect(sent).toBe(1)
  expect(settled.at(-1)).toMatchObject({ sent: null, isRelease: true })
})

test('nothing is sent once somebody else holds the webhook, or the outcome was given up', async () => {
  expect((await run(5, () => ({ isMine: false }))).sent).toBe(1)
  const given = await run(5, () => ({}), {
    ledger: { hurry() {}, drained: async () => {}, settle: async () => null },
  })
  expect(given.sent).toBe(1)
})

test('a change from outside is followed before the next event', async () => {
  const { sent, settled } = await run(5, (settles) => ({ epoch: 2, mayGoOn: settles < 2 }))
  expect(sent).toBe(1)
  expect(settled.at(-1)).toMatchObject({ epoch: 2, sent: null, end: { lookedTo: 0 } })
})

test('a pause of all writes and the end of the process let go of the webhook before the next event', async () => {
  const paused = await run(5, () => ({}), { isPaused: async () => true })
  expect(paused).toMatchObject({ sent: 0, settled: [{ sent: null, isRelease: true }] })
  const stopping = await run(5, () => ({}), { isStopping: () => true })
  expect(stopping).toMatchObject({ sent: 0, settled: [{ sent: null, isRelease: true }] })
})

test('a read that fails is tried again while there is time, and not beyond', async () => {
  let reads = 0
  const again = await run(1, () => ({ mayGoOn: false }), {
    batches: {
      async ask() {
        reads += 1
        if (reads === 1) throw new Error('no database for a moment')
        return batchOf(1)
      },
    },
  })
  expect([reads, again.sent]).toEqual([2, 1])
  const failing = run(1, () => ({}), {
    monotonicMs: () => 18_000,
    batches: { ask: () => Promise.reject(new Error('no database at all')) },
  })
  await expect(failing).rejects.toThrow('no database at all')
})

test('an event whose telling fails for a moment is told again and sent, never passed over', async () => {
  let reads = 0
  const database = {
    async read(look: () => unknown) {
      reads += 1
      if (reads === 1) throw new Error('no database for a moment')
      return look()
    },
  }
  const resolve = async (_read: unknown, _owner: unknown, events: readonly OutletEvent[]) =>
    new Map(events.map(({ id, kind }) => [id, { event: kind, members: {} }]))
  const feed = { ...feedOf(), database, resolvers: { connection_deleted: { resolve } } }
  const { sent, settled } = await run(2, (settles) => ({ mayGoOn: settles < 2 }), {
    feed: feed as unknown as LaneNeeds['feed'],
  })
  expect(sent).toBe(2)
  expect(settled.map(({ sent: what }) => what?.outcome)).toEqual(['delivered', 'delivered'])
})

test('an event that could not leave while the lease held has no outcome and is left to whoever comes next', async () => {
  let nowMs = 0
  const egress = {
    async sendForStatus({ mayLeave }: EgressRequest) {
      // The process stood still while it connected.
      nowMs = 29_000
      return mayLeave?.() === false ? decline({ kind: 'aborted' }) : accept({ status: 200, timings: TIMINGS })
    },
  } as unknown as Egress
  const { settled } = await run(3, () => ({}), { egress, monotonicMs: () => nowMs })
  expect(settled).toMatchObject([{ sent: null, isRelease: true }])
})

test('a lane whose place others need lets go after an event, with what became of it', async () => {
  let asked = 0
  const watch = { stateIs() {}, inFlight() {}, mayStay: () => (asked += 1) < 2 }
  const { sent, settled } = await run(5, () => ({}), { watch })
  expect(sent).toBe(2)
  expect(settled).toMatchObject([
    { sent: { outcome: 'delivered' }, isRelease: false },
    { sent: { outcome: 'delivered' }, isRelease: true },
  ])
})
