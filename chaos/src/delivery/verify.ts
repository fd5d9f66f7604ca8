import { type Figures, zero } from '@sealpost/testkit'
import type { PublishedRow } from '../roles/publisher-plan.ts'
import { addUp, type Arrival, type Balance, balance, type ChannelRecord, type Fault } from './balance.ts'
import type { FaultLog } from './faults.ts'
import type { FeedReader } from './feed-reader.ts'
import type { DeliveryRun } from './run.ts'

/** Bars for what `verify` counts. */
export const DELIVERY_BARS = zero(
  'out_of_balance',
  'lost',
  'unexpected',
  'out_of_order',
  'pull_out_of_order',
  'unexplained_duplicates',
  'missing_rows',
)

/** Runs after workers and readers have ended, when nothing changes any more. */
export async function verify(run: DeliveryRun & { readonly faults: FaultLog }): Promise<Figures> {
  const reader = await run.openReader()
  try {
    const committed = await resolveUnsure(run, reader)
    const { webhooks, plain } = await reader.queued()
    const byService = Map.groupBy(committed.rows, ({ service }) => service)
    const webhookRecords = run.webhooks.map(({ number, service, webhookId, kinds }): ChannelRecord => ({
      name: `webhook ${number}`,
      entries: (byService.get(service) ?? []).filter(({ kind }) => kinds.includes(kind)),
      arrivals: run.receivers.arrivals(number),
      queued: webhooks.get(webhookId) ?? new Set(),
    }))
    const pullRecords = run.consumers.map(({ service, arrivals }): ChannelRecord => ({
      name: `consumer ${service}`,
      entries: byService.get(service) ?? [],
      arrivals,
      queued: plain.get(run.services.find(({ number }) => number === service)?.serviceId ?? '') ?? new Set(),
    }))
    const { worker, frozen, api, postgres } = run.faults
    const posted = addUp(balanceAll(webhookRecords, [...worker, ...frozen, ...postgres]))
    const pulled = addUp(balanceAll(pullRecords, [...api, ...postgres]))
    const marks = new Map(committed.rows.map(({ id, mark }) => [id, mark]))
    return {
      ...figuresOf(posted, pulled),
      mismatched_ids: countMismatched(run, marks),
      missing_rows: committed.missing,
      overlaps: countOverlaps(run.receivers.overlaps, frozen),
    }
  } finally {
    await reader.close()
  }
}

/** Prints the channels that are wrong before all are added up. */
function balanceAll(channels: readonly ChannelRecord[], faults: FaultLog['worker']): readonly Balance[] {
  return channels.map((channel) => {
    const totals = balance(channel, faults)
    const { lost, unexpected, outOfOrder, unexplainedDuplicates } = totals
    if (lost + unexpected + outOfOrder + unexplainedDuplicates > 0) explain(channel, faults, totals)
    return totals
  })
}

const AROUND = 3

/** Prints the arrivals around the first wrong one and the last faults before it. */
function explain({ name, entries, arrivals }: ChannelRecord, faults: FaultLog['worker'], totals: Balance): void {
  const indexOf = new Map(entries.map(({ id }, index) => [id, index]))
  const indexes = arrivals.map(({ id }) => indexOf.get(id) ?? -1)
  const wrong = indexes.findIndex((index, at) => indexes.slice(0, at).some((before) => before >= index))
  const describe = ({ atMs, outcome }: Arrival, at: number) => `#${indexes[at]} ${outcome} ${timeOf(atMs)}`
  const around = arrivals.map(describe).slice(Math.max(0, wrong - AROUND), wrong + AROUND)
  const atMs = arrivals[wrong]?.atMs ?? 0
  const before = faults.filter(({ fromMs }) => fromMs <= atMs).toSorted((one, other) => other.toMs - one.toMs)
  const last = before.slice(0, AROUND).map(({ fromMs, toMs }) => `${timeOf(fromMs)}-${timeOf(toMs)}`)
  console.error(`${name}: ${JSON.stringify(totals)}\n  ${around.join(', ')}; faults before: ${last.join(', ')}`)
}

function timeOf(atMs: number): string {
  return new Date(atMs).toISOString().slice(14, 23)
}

/** Acknowledged rows must exist; rows whose commit has an unknown outcome count when they exist. */
async function resolveUnsure(
  { publisher }: DeliveryRun,
  reader: FeedReader,
): Promise<{ readonly rows: readonly PublishedRow[]; readonly missing: number }> {
  const { rows, unsure } = publisher
  const present = await reader.present(rows.map(({ id }) => id))
  const missing = rows.filter(({ id }) => !unsure.has(id) && !present.has(id)).length
  return { rows: rows.filter(({ id }) => !unsure.has(id) || present.has(id)), missing }
}

/** POSTs whose body is about another event than their id. */
function countMismatched({ webhooks, receivers }: DeliveryRun, marks: ReadonlyMap<string, string | null>): number {
  return webhooks
    .flatMap(({ number }) => receivers.arrivals(number))
    .filter(({ id, mark }) => mark !== null && (marks.get(id) ?? mark) !== mark).length
}

/** A stopped worker cannot abort a POST whose lease has ended, so another worker's POST overlaps it. */
function countOverlaps(overlaps: readonly Fault[], frozen: readonly Fault[]): number {
  const isExplained = ({ fromMs, toMs }: Fault): boolean =>
    frozen.some((freeze) => freeze.fromMs <= toMs && freeze.toMs >= fromMs)
  return overlaps.filter((overlap) => !isExplained(overlap)).length
}

function figuresOf(posted: Balance, pulled: Balance): Figures {
  const all = addUp([posted, pulled])
  return {
    published: all.published,
    delivered: all.delivered,
    queued: all.queued,
    collapsed: all.collapsed,
    lost: all.lost,
    out_of_balance: Math.abs(all.published - all.delivered - all.queued - all.collapsed),
    unexpected: all.unexpected,
    webhook_entries: posted.published,
    out_of_order: posted.outOfOrder,
    pull_out_of_order: pulled.outOfOrder,
    repeated: posted.repeated,
    duplicated_by_kills: posted.duplicatedByKills,
    pull_duplicated_by_kills: pulled.duplicatedByKills,
    unexplained_duplicates: all.unexplainedDuplicates,
  }
}
