import type { Clock, Ids, ServiceId, UserId, WebhookId } from '@sealpost/kernel'
import { type Database, openDatabase } from '@sealpost/postgres'
import { recordingTelemetry } from '@sealpost/telemetry'
import type { NewEvent } from '../event.ts'
import { type FeedNeeds, openFeed } from '../needs.ts'
import {
  changeOutlet,
  claimOutlets,
  type ClaimedOutlet,
  type ClaimWish,
  type NewOutlet,
  openOutlet,
  type OutletBatch,
  type OutletChange,
  type OutletChanged,
  type OutletExplained,
  explainOutlet,
  type OutletName,
  type OutletReport,
  readOutletEvents,
  settleOutlets,
  type SettledOutlet,
} from '../outlets/index.ts'
import { appendTo, type TestFeed } from './feeds.ts'

export const GRACE_MS = 600_000

/** A feed without a region around it. */
export interface OutletPlace {
  readonly needs: FeedNeeds
  readonly database: Database
  readonly clock: Clock
  /** The database is gone then. */
  close(): Promise<void>
}

/** On a database that was made for it. */
export function openOutletPlace(
  made: { readonly url: string; drop(): Promise<void> },
  clock: Clock,
  ids: Ids,
): OutletPlace {
  const database = openDatabase({ url: made.url, poolSize: 5 })
  return {
    needs: openFeed({ database, clock, ids, log: recordingTelemetry().log, resolvers: {} }),
    database,
    clock,
    async close() {
      await database.close()
      await made.drop()
    },
  }
}

/** One service of the place. */
export interface TestService {
  readonly owner: TestFeed['owner']
  append(...events: readonly Partial<NewEvent>[]): Promise<readonly string[]>
  open(fresh?: Partial<NewOutlet>): Promise<TestOutlet>
}

export interface TestOutlet {
  readonly name: OutletName
  change(...changes: readonly OutletChange[]): Promise<OutletChanged>
  explain(): Promise<OutletExplained>
}

export function openTestService({ needs, database, clock }: OutletPlace): TestService {
  const { ids } = needs
  const owner = { kind: 'service', companyId: ids.uuid<UserId>(), serviceId: ids.uuid<ServiceId>() } as const
  return {
    owner,
    append: (...events) => appendTo(needs, owner, events),
    async open(fresh = {}) {
      const { companyId, serviceId } = owner
      const name: OutletName = { companyId, serviceId, webhookId: ids.uuid<WebhookId>() }
      const whole = { kinds: null, isEnabled: true, isSuspended: false, ...fresh }
      await database.transaction((tx) => openOutlet(tx, { clock }, name, whole))
      return {
        name,
        change: (...changes) => database.transaction((tx) => changeOutlet(tx, { clock }, name, ...changes)),
        async explain() {
          const told = await database.read((read) => explainOutlet(read, name, clock.now()))
          if (told === null) throw new Error('the outlet is gone')
          return told
        },
      }
    },
  }
}

/** A worker that holds outlets and does by hand what the real one does in a loop. */
export interface TestWorker {
  claim(wish?: Partial<ClaimWish>): Promise<readonly ClaimedOutlet[]>
  read(held: ClaimedOutlet): Promise<OutletBatch>
  settle(held: ClaimedOutlet, report: Partial<OutletReport>): Promise<SettledOutlet>
  /** Claims, sends what there is and lets go, until nothing is due; answers what was sent to whom. */
  run(answer?: (no: number) => 'delivered' | 'failed' | 'skipped'): Promise<readonly Sent[]>
}

export interface Sent {
  readonly webhookId: WebhookId
  readonly id: string
  readonly no: number
  readonly isParked: boolean
  readonly state: string
}

export function openTestWorker({ database, clock }: OutletPlace): TestWorker {
  const needs = { clock, graceMs: GRACE_MS }
  const worker: TestWorker = {
    claim: (wish = {}) =>
      database.transaction((tx) => claimOutlets(tx, { clock }, { live: 100, probes: 100, ...wish })),
    async read(held) {
      const batch = (await readOutletEvents({ database, clock }, [held])).get(held.name.webhookId)
      if (batch === undefined) throw new Error('the outlet is gone')
      return batch
    },
    async settle(held, report) {
      const { name, channel, token, epoch } = held
      const whole = { name, channel, token, epoch, sent: null, end: null, isRelease: false, ...report }
      const [settled] = await database.transaction((tx) => settleOutlets(tx, needs, [whole]))
      if (settled === undefined) throw new Error('a report has no answer')
      return settled
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
  claimed: ClaimedOutlet,
  answer: (no: number) => 'delivered' | 'failed' | 'skipped',
): Promise<readonly Sent[]> {
  const sent: Sent[] = []
  let held = claimed
  for (;;) {
    const { events, lookedTo, blockedForMs } = await worker.read(held)
    const end = { lookedTo, blockedForMs }
    let settled: SettledOutlet | null = null
    if (events.length === 0) settled = await worker.settle(held, { end })
    for (const [i, { no, id, isParked }] of events.entries()) {
      sent.push({ webhookId: held.name.webhookId, id, no, isParked, state: held.state })
      const isLast = i === events.length - 1
      settled = await worker.settle(held, { sent: { no, outcome: answer(no) }, end: isLast ? end : null })
      const isOther = settled.epoch !== held.epoch
      held = { ...held, epoch: settled.epoch, state: settled.state }
      if (!settled.mayGoOn || isOther) break
    }
    if (settled?.mayGoOn !== true) return sent
  }
}
