import { type Answer, type Calls, bodyOf, listOf, membersOf, waitUntil } from '@sealpost/testkit'
import { inBatches } from '../roles/services.ts'
import { pathAt } from './calls.ts'
import { compareEvents, type EventCounts, type FeedEvent, type FeedReader, readFeed } from './feed.ts'
import type { Customer, Parties, Reader } from './parties.ts'
import { copyFor, type Run, RUNS, valueOf } from './runs.ts'
import { expectedAfter, type Field, SHARED } from './script.ts'

const ARRIVAL_MS = 120_000
const AT_ONCE = 8

/** How often the runs are not as the acknowledged calls imply. */
export interface Judged {
  wrong_states: number
  different_sides: number
  wrong_files: number
  wrong_values: number
  extra_runs: number
}

/** Every run as its three parties see it, its files as they read them, and the values at the connections. */
export async function judgeRuns(
  { owner, pairs }: Parties,
  runs: readonly Run[],
  onFault: (fault: string) => void,
): Promise<Judged> {
  const judged: Judged = { wrong_states: 0, different_sides: 0, wrong_files: 0, wrong_values: 0, extra_runs: 0 }
  const count = (what: keyof Judged, run: Run, reader: string): void => {
    judged[what] += 1
    onFault(`${what} of run ${run.id} as ${reader} reads it`)
  }
  await inBatches(runs, AT_ONCE, async (run) => {
    const { body } = await served(owner.calls, `${RUNS}/${run.id}`)
    if (!(await isAsExpected(run, owner, body))) count('wrong_states', run, 'the company')
    for (const party of [run.customer, run.partner])
      if (!(await arrives(run, party))) count('different_sides', run, party.userId)
      else if (!(await hasOwnFile(run, party))) count('wrong_files', run, party.userId)
    if (!(await hasSlotFile(run))) count('wrong_files', run, 'the company')
  })
  for (const { customer, partner } of pairs)
    for (const [party, one] of Object.entries({ customer, partner }))
      judged.wrong_values += await wrongValues(owner.calls, one, party, runs)
  judged.extra_runs = (await countRuns(owner.calls)) - runs.length
  return judged
}

/** The answer of a read; a region that is busy, or away for a moment, is asked again. */
async function served(calls: Calls, path: string): Promise<Answer> {
  let answer = await calls('GET', path)
  await waitUntil(`${path} is served`, ARRIVAL_MS, async () => {
    if (answer.status === 503) answer = await calls('GET', path)
    return answer.status !== 503
  })
  return answer
}

async function isAsExpected(run: Run, reader: Reader, body: Answer['body']): Promise<boolean> {
  const { status, node, cancelledBy, answered } = expectedAfter(run.taken)
  const isSame =
    body['status'] === status && body['current_node'] === node && (body['cancelled_by'] ?? null) === cancelledBy
  const isPrivate = answered.includes('proof') ? [run.flow.slugs.proof] : []
  const answers: object[] = []
  for (const field of answered) answers.push([run.flow.slugs[field], reader.userId, await valueOf(run, field, reader)])
  const found = listOf(body['answers']).map(({ slug, for_user_id, value }) => [slug, for_user_id, value])
  const isComplete = JSON.stringify([found, body['private_slugs']]) === JSON.stringify([answers, isPrivate])
  return isSame && isComplete
}

/** The last tell may still be on its way. */
function arrives(run: Run, party: Customer): Promise<boolean> {
  return waitUntil('both sides agree', ARRIVAL_MS, async () => {
    const { status, body } = await party.calls('GET', pathAt(party, run))
    return status === 200 && isAsExpected(run, party, body)
  }).then(
    () => true,
    () => false,
  )
}

function isFileGiven(run: Run): boolean {
  return expectedAfter(run.taken).answered.includes('proof')
}

async function hasOwnFile(run: Run, party: Customer): Promise<boolean> {
  if (!isFileGiven(run)) return true
  const path = `${pathAt(party, run)}/answer-files/${run.files.get(party.userId)}`
  const { status, text } = await served(party.calls, path)
  return status === 200 && text === (await copyFor(run, 'proof', party))
}

async function hasSlotFile(run: Run): Promise<boolean> {
  if (!isFileGiven(run)) return true
  const { owner, flow, id } = run
  const { status, body } = await served(owner.calls, `${RUNS}/${id}/slots/${flow.slugs.proof}/file`)
  return status === 200 && body['value'] === (await copyFor(run, 'proof', owner))
}

/** Values of completed runs, and no others. */
async function wrongValues(service: Calls, party: Customer, key: string, runs: readonly Run[]): Promise<number> {
  const record = await bodyOf(service('GET', `/api/company-data/connections/${party.connectionId}`))
  const found = membersOf(record['values'])
  const own = runs.filter(({ customer, partner }) => customer === party || partner === party)
  const wanted = own.flatMap((run) => sharedOf(run).flatMap((one) => (one.party === key ? [{ run, ...one }] : [])))
  let wrong = Math.abs(Object.keys(found).length - wanted.length)
  for (const { run, field } of wanted)
    if (!(await isValue(run, field, membersOf(found[run.flow.slugs[field]])))) wrong += 1
  return wrong
}

async function isValue(run: Run, field: Field, entry: Readonly<Record<string, unknown>>): Promise<boolean> {
  if (entry['flow_id'] !== run.flow.flowId) return false
  if (field === 'proof') return entry['value_url'] === `${RUNS}/${run.id}/slots/${run.flow.slugs.proof}/file`
  return entry['value'] === (await copyFor(run, field, run.owner))
}

function sharedOf(run: Run): typeof SHARED {
  const { status, answered } = expectedAfter(run.taken)
  return status === 'completed' ? SHARED.filter(({ field }) => answered.includes(field)) : []
}

async function countRuns(service: Calls): Promise<number> {
  let [count, cursor]: [number, unknown] = [0, null]
  do {
    const more = typeof cursor === 'string' ? `&cursor=${cursor}` : ''
    const page = await bodyOf(service('GET', `${RUNS}?limit=500${more}`))
    count += listOf(page['items']).length
    cursor = page['next_cursor']
  } while (typeof cursor === 'string')
  return count
}

/** The feed of the service, and those of the companies that are customers. */
export async function judgeEvents({ pairs }: Parties, runs: readonly Run[], service: FeedReader): Promise<EventCounts> {
  const expected = new Map<string, readonly string[]>()
  const seen = new Map<string, string[]>()
  const see = (name: string, event: string): void => void seen.set(name, [...(seen.get(name) ?? []), event])
  for (const run of runs) {
    const { events } = expectedAfter(run.taken)
    expected.set(`service ${run.id}`, events)
    expected.set(`partner ${run.id}`, events)
    for (const { field, party } of sharedOf(run)) expected.set(valueName(run, field, party), ['field_updated'])
  }
  const ofPrefix = (prefix: string): number =>
    [...expected].reduce((sum, [name, events]) => sum + (name.startsWith(prefix) ? events.length : 0), 0)
  await service.end(ofPrefix('service') + ofPrefix('value'))
  for (const event of flowEvents(service)) see(nameOf(event), String(event['event']))
  await inBatches(pairs, AT_ONCE, async ({ partner }) => {
    const own = runs.filter((run) => run.partner === partner)
    const feed = readFeed(partner.calls, '/api/customer/changes', partner.connectionId)
    await feed.end(own.reduce((sum, run) => sum + expectedAfter(run.taken).events.length, 0))
    for (const event of flowEvents(feed)) see(`partner ${String(event['flow_run_id'])}`, String(event['event']))
  })
  return compareEvents(expected, seen)
}

/** Without those of the connections. */
function flowEvents({ events }: FeedReader): readonly FeedEvent[] {
  return [...events.values()].filter(({ event }) => String(event).startsWith('flow_') || event === 'field_updated')
}

/** Two runs of a connection are of different flows. */
function nameOf(event: FeedEvent): string {
  if (event['event'] !== 'field_updated') return `service ${String(event['flow_run_id'])}`
  return `value ${String(event['connection_id'])} ${String(event['slug'])}`
}

function valueName(run: Run, field: Field, party: 'customer' | 'partner'): string {
  return `value ${run[party].connectionId} ${run.flow.slugs[field]}`
}
