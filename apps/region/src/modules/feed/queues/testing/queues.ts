import type { ServiceId, UserId, WebhookId } from '@sealpost/kernel'
import type { Database } from '@sealpost/postgres'
import { type FixedClock, openTables } from '@sealpost/testkit'
import { type FeedContext, feedContext } from '../../context.ts'
import { feedMigrations } from '../../migrations.ts'
import type { NewEvent, Page } from '../../model.ts'
import { drainPage } from '../../operations/drain.ts'
import { appendTo, type TestFeed } from '../../testing/feeds.ts'
import {
  changeQueue,
  type ClaimedQueue,
  claimQueues,
  type ClaimRequest,
  explainQueue,
  type NewQueue,
  openQueue,
  type OutcomeReport,
  type PendingBatch,
  type QueueChange,
  type QueueChanged,
  type QueueExplanation,
  readPendingEvents,
  type RecordedOutcome,
  recordOutcomes,
  type WebhookName,
} from '../index.ts'

export const PROBE_DELAY_MS = 600_000

/** The tables of a feed without a region around them. */
export interface FeedFixture {
  readonly feed: FeedContext
  readonly database: Database
  readonly clock: FixedClock
  service(): TestService
  worker(): TestWorker
  /** A new service with one queue, and a worker. */
  queue(): Promise<OpenedQueue>
}

export interface OpenedQueue {
  readonly service: TestService
  readonly queue: TestQueue
  readonly worker: TestWorker
}

export async function openFeedFixture(): Promise<FeedFixture> {
  const tables = await openTables('feed', feedMigrations)
  const { database, clock } = tables
  const feed = feedContext(tables, { resolvers: {} })
  const service = (): TestService => openTestService(feed)
  const worker = (): TestWorker => openTestWorker(feed)
  return {
    feed,
    database,
    clock,
    service,
    worker,
    async queue() {
      const made = service()
      return { service: made, queue: await made.open(), worker: worker() }
    },
  }
}

export interface TestService {
  readonly owner: TestFeed['owner']
  append(...events: readonly Partial<NewEvent>[]): Promise<readonly string[]>
  open(fresh?: Partial<NewQueue>): Promise<TestQueue>
}

export interface TestQueue {
  readonly name: WebhookName
  change(...changes: readonly QueueChange[]): Promise<QueueChanged>
  explain(): Promise<QueueExplanation>
  /** A page of its backlog, as a call of the service reads it. */
  drain(wish?: { readonly limit?: number; readonly attemptId?: string }): Promise<Page>
}

/** The lease of a page that has events. */
export function leaseOf({ lease }: Page): NonNullable<Page['lease']> {
  if (lease === null) throw new Error('no event was leased')
  return lease
}

function openTestService(feed: FeedContext): TestService {
  const { database, clock, ids } = feed
  const owner = { kind: 'service', companyId: ids.uuid<UserId>(), serviceId: ids.uuid<ServiceId>() } as const
  return {
    owner,
    append: (...events) => appendTo(feed, owner, events),
    async open(fresh = {}) {
      const { companyId, serviceId } = owner
      const name: WebhookName = { companyId, serviceId, webhookId: ids.uuid<WebhookId>() }
      const whole = { kinds: null, isEnabled: true, isSuspended: false, ...fresh }
      await database.transaction((tx) => openQueue({ clock }, tx, name, whole))
      return {
        name,
        change: (...changes) => database.transaction((tx) => changeQueue({ clock }, tx, name, ...changes)),
        async explain() {
          const explanation = await database.read((read) => explainQueue(read, name, clock.now()))
          if (explanation === null) throw new Error(`no queue of webhook ${name.webhookId}`)
          return explanation
        },
        drain: ({ limit = 10, attemptId = null } = {}) =>
          drainPage(feed, { owner, limit, listener: null, webhookId: name.webhookId, attemptId }),
      }
    },
  }
}

/** A worker whose steps the test calls one by one. */
export interface TestWorker {
  claim(request?: Partial<ClaimRequest>): Promise<readonly ClaimedQueue[]>
  /** The only queue that is due. */
  claimOne(): Promise<ClaimedQueue>
  read(held: ClaimedQueue): Promise<PendingBatch>
  report(held: ClaimedQueue, report: Partial<OutcomeReport>): Promise<RecordedOutcome>
  /** Claims, sends and releases until no queue is due; answers all sent events. */
  run(answer?: (no: number) => 'delivered' | 'failed' | 'skipped'): Promise<readonly Sent[]>
}

export interface Sent {
  readonly webhookId: WebhookId
  readonly id: string
  readonly no: number
  readonly isParked: boolean
  readonly state: string
}

function openTestWorker({ database, clock }: FeedContext): TestWorker {
  const context = { clock, probeDelayMs: PROBE_DELAY_MS }
  const worker: TestWorker = {
    claim: (request = {}) =>
      database.transaction((tx) => claimQueues({ clock }, tx, { live: 100, probes: 100, ...request })),
    async claimOne() {
      const [held, ...more] = await worker.claim()
      if (held === undefined || more.length > 0) throw new Error('expected exactly one claimed queue')
      return held
    },
    async read(held) {
      const batch = (await readPendingEvents({ database, clock }, [held])).get(held.name.webhookId)
      if (batch === undefined) throw new Error(`no queue of webhook ${held.name.webhookId}`)
      return batch
    },
    async report(held, report) {
      const { name, channel, token, epoch } = held
      const whole = { name, channel, token, epoch, sent: null, end: null, isRelease: false, ...report }
      const [recorded] = await database.transaction((tx) => recordOutcomes(context, tx, [whole]))
      if (recorded === undefined) throw new Error('a report has no result')
      return recorded
    },
    async run(answer = () => 'delivered') {
      const sent: Sent[] = []
      for (let claimed = await worker.claim(); claimed.length > 0; claimed = await worker.claim())
        for (const held of claimed) sent.push(...(await deliver(worker, held, answer)))
      return sent
    },
  }
  return worker
}

async function deliver(
  worker: TestWorker,
  claimed: ClaimedQueue,
  answer: (no: number) => 'delivered' | 'failed' | 'skipped',
): Promise<readonly Sent[]> {
  const sent: Sent[] = []
  let held = claimed
  for (;;) {
    const { events, scannedTo, blockedForMs } = await worker.read(held)
    const end = { scannedTo, blockedForMs }
    let recorded: RecordedOutcome | null = null
    if (events.length === 0) recorded = await worker.report(held, { end })
    for (const [i, { no, id, isParked }] of events.entries()) {
      sent.push({ webhookId: held.name.webhookId, id, no, isParked, state: held.state })
      const isLast = i === events.length - 1
      recorded = await worker.report(held, { sent: { no, outcome: answer(no) }, end: isLast ? end : null })
      const isOther = recorded.epoch !== held.epoch
      held = { ...held, epoch: recorded.epoch, state: recorded.state }
      if (!recorded.mayGoOn || isOther) break
    }
    if (recorded?.mayGoOn !== true) return sent
  }
}
