import type { Figures } from '@sealpost/testkit'
import type { PublishedRow } from '../roles/publisher-plan.ts'
import type { DeliveryBooks } from './books.ts'
import type { FaultBook } from './faults.ts'
import { addUp, type Arrival, type Balance, balance, type ChannelBook, type Fault } from './ledger.ts'
import type { DeliveryRun } from './run.ts'

/** Workers have ended and readers are done: from here on nothing moves any more. */
export async function verify(run: DeliveryRun & { readonly faults: FaultBook }): Promise<Figures> {
  const books = await run.books()
  try {
    const committed = await settleUnsure(run, books)
    const { webhooks, plain } = await books.queued()
    const byService = Map.groupBy(committed.rows, ({ service }) => service)
    const hookBooks = run.hooks.map(({ number, service, webhookId, kinds }): ChannelBook => ({
      name: `webhook ${number}`,
      entries: (byService.get(service) ?? []).filter(({ kind }) => kinds.includes(kind)),
      arrivals: run.receivers.arrivals(number),
      queued: webhooks.get(webhookId) ?? new Set(),
    }))
    const pullBooks = run.consumers.map(({ service, arrivals }): ChannelBook => ({
      name: `consumer ${service}`,
      entries: byService.get(service) ?? [],
      arrivals,
      queued: plain.get(run.services.find(({ number }) => number === service)?.serviceId ?? '') ?? new Set(),
    }))
    const { worker, frozen, api, postgres } = run.faults
    const posted = addUp(judge(hookBooks, [...worker, ...frozen, ...postgres]))
    const pulled = addUp(judge(pullBooks, [...api, ...postgres]))
    const marks = new Map(committed.rows.map(({ id, mark }) => [id, mark]))
    return {
      ...figuresOf(posted, pulled),
      mistaken_ids: countMistaken(run, marks),
      not_in_database: committed.missing,
      overlaps: countOverlaps(run.receivers.overlaps, frozen),
    }
  } finally {
    await books.close()
  }
}

/** Says which channel is wrong and how, before all are added up. */
function judge(books: readonly ChannelBook[], faults: FaultBook['worker']): readonly Balance[] {
  return books.map((book) => {
    const verdict = balance(book, faults)
    const { lost, invented, disordered, doubledForNoReason } = verdict
    if (lost + invented + disordered + doubledForNoReason > 0) explain(book, faults, verdict)
    return verdict
  })
}

const AROUND = 3

/** What happened around the first wrong arrival, and the last things that were broken before it. */
function explain({ name, entries, arrivals }: ChannelBook, faults: FaultBook['worker'], verdict: Balance): void {
  const placeOf = new Map(entries.map(({ id }, place) => [id, place]))
  const places = arrivals.map(({ id }) => placeOf.get(id) ?? -1)
  const wrong = places.findIndex((place, at) => places.slice(0, at).some((before) => before >= place))
  const tell = ({ atMs, outcome }: Arrival, at: number) => `#${places[at]} ${outcome} ${timeOf(atMs)}`
  const around = arrivals.map(tell).slice(Math.max(0, wrong - AROUND), wrong + AROUND)
  const atMs = arrivals[wrong]?.atMs ?? 0
  const before = faults.filter(({ fromMs }) => fromMs <= atMs).toSorted((one, other) => other.toMs - one.toMs)
  const broken = before.slice(0, AROUND).map(({ fromMs, toMs }) => `${timeOf(fromMs)}-${timeOf(toMs)}`)
  console.error(`${name}: ${JSON.stringify(verdict)}\n  ${around.join(', ')}; broken before: ${broken.join(', ')}`)
}

function timeOf(atMs: number): string {
  return new Date(atMs).toISOString().slice(14, 23)
}

/** What was acknowledged must be there; where the commit was cut off, the log says whether it was. */
async function settleUnsure(
  { publisher }: DeliveryRun,
  books: DeliveryBooks,
): Promise<{ readonly rows: readonly PublishedRow[]; readonly missing: number }> {
  const { rows, unsure } = publisher
  const present = await books.present(rows.map(({ id }) => id))
  const missing = rows.filter(({ id }) => !unsure.has(id) && !present.has(id)).length
  return { rows: rows.filter(({ id }) => !unsure.has(id) || present.has(id)), missing }
}

/** Posts whose body tells another event than their id names. */
function countMistaken({ hooks, receivers }: DeliveryRun, marks: ReadonlyMap<string, string | null>): number {
  return hooks
    .flatMap(({ number }) => receivers.arrivals(number))
    .filter(({ id, mark }) => mark !== null && (marks.get(id) ?? mark) !== mark).length
}

/** A worker that stands still cannot leave a POST whose time is over; another one then goes on without it. */
function countOverlaps(overlaps: readonly Fault[], frozen: readonly Fault[]): number {
  const isExcused = ({ fromMs, toMs }: Fault): boolean =>
    frozen.some((freeze) => freeze.fromMs <= toMs && freeze.toMs >= fromMs)
  return overlaps.filter((overlap) => !isExcused(overlap)).length
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
    invented: all.invented,
    webhook_entries: posted.published,
    disordered: posted.disordered,
    pull_disordered: pulled.disordered,
    repeated: posted.repeated,
    doubled_by_kills: posted.doubledByKills,
    pull_doubled_by_kills: pulled.doubledByKills,
    doubled_for_no_reason: all.doubledForNoReason,
  }
}
