import { bodyOf, listOf, membersOf } from '@sealpost/testkit'
import { openDice } from '@sealpost/testkit/dice'
import { publishWithTemplate } from '../signing/papers.ts'
import { type Documents, playDocuments } from '../signing/play-line.ts'
import { badStarts, checkBody } from './bad-starts.ts'
import { type BadAct, badEnds, badTurns } from './bad-turns.ts'
import { castParties, customersOf } from './cast.ts'
import type { Counts } from './counts.ts'
import { type Door, mustSucceed } from './doors/door.ts'
import { checkEvents } from './feed-events.ts'
import { Mismatch } from './mismatch.ts'
import { FACTS } from './names.ts'
import { actorOf, definitionOf, expectRefused, type Play, Reader, type Running } from './play.ts'
import { prepareStart } from './prepare-start.ts'
import { randomFlow } from './random-flow.ts'
import { awaited, begin, cancel, isOpen, takeTurn } from './reference.ts'
import { pickByKey } from './refusals.ts'
import type { Lane, Site } from './site.ts'
import { rowsOfRun, rowsOfService } from './stored-rows.ts'
import { prepareTurn } from './turns.ts'
import { checkCustomerView, checkOwnerView, handleIn } from './views.ts'

export interface RunWish {
  readonly site: Site
  readonly lane: Lane
  readonly door: Door
  /** Of this run alone. */
  readonly seed: number
  readonly counts: Counts
  /** The refusal that it tries first. */
  readonly wanted: string
  /** Null: a run that should make documents is cancelled instead. */
  readonly documents: Documents | null
}

/** One flow, from its draft to the end of a run; throws at the first step that differs from the model. */
export async function playRun({ site, lane, door, seed, counts, wanted, documents }: RunWish): Promise<void> {
  const dice = openDice(seed)
  const written = randomFlow(dice, FACTS, documents !== null)
  const cast = castParties(dice, lane, written)
  const { flowId, flow } =
    documents === null
      ? { flowId: await door.publish(lane.service, written), flow: written }
      : await publishWithTemplate(lane.service, written)
  const definition = definitionOf(flow)
  const start = await prepareStart({ dice, door, lane, flow, flowId, cast })
  const { world } = site
  const other = site.lanes.find((one) => one !== lane) ?? lane
  const today = world.time().slice(0, 10)
  const play: Play = { world, dice, door, lane, other, flow, flowId, definition, cast, start, today, counts, wanted }
  await tryBadStarts(play)
  const running = await startRun(play)
  while (awaited(flow, running.state) !== null) {
    if (dice.chance(0.04)) await cancelRun(running)
    else await playStep(running)
  }
  if (documents !== null && running.state.status === 'generating') await playDocuments(running, documents, cancelRun)
  await checkEnd(running)
  counts.add(`runs with ${flow.parties.length} parties`)
  counts.add('runs')
}

async function tryBadStarts(play: Play): Promise<void> {
  const all = badStarts(play)
  const special = all.filter(({ key }) => /tag_values|source_files/.test(key))
  for (const list of [all, ...(special.length > 2 ? [special, special] : [])]) {
    const bad = pickByKey(play.dice, list, play.wanted)
    const refusal = await expectRefused(play, bad, () => rowsOfService(play), bad.act)
    checkBody(bad, refusal.body)
  }
}

async function startRun(play: Play): Promise<Running> {
  const begun = mustSucceed(await play.door.start(play.lane.service, play.flowId, play.start.trigger))
  const { state, event } = begin(play.flow)
  const running: Running = { ...play, runId: String(begun['id']), reader: new Reader(), state }
  await checkOwnerView(running, begun)
  await checkEvents(running, event)
  for (const customer of customersOf(play.cast)) await checkCustomerView(running, customer)
  return running
}

async function playStep(play: Running): Promise<void> {
  const party = awaited(play.flow, play.state) ?? ''
  const customer = play.cast.customers.get(party)
  if (customer !== undefined) await checkCustomerView(play, customer)
  const turn = await prepareTurn(play, party)
  if (play.dice.chance(0.7)) await tryBadAct(play, pickByKey(play.dice, badTurns(play, turn), play.wanted))
  const answered = mustSucceed(await actorOf(play, party).answer(play.runId, { answers: turn.items, ...turn.to }))
  const { state, event } = takeTurn(play.flow, play.state, turn.known, turn.next)
  play.state = state
  if (customer === undefined) await checkOwnerView(play, answered)
  else {
    await checkCustomerView(play, customer, answered)
    await checkOwnerView(play)
  }
  await checkEvents(play, event, state.status === 'completed' ? sharedSlugs(play) : [])
  play.counts.add('turns')
}

async function tryBadAct(play: Running, bad: BadAct): Promise<void> {
  await expectRefused(play, bad, () => rowsOfRun(play), bad.act)
}

/** The answers of customers become values of their connections; those of the owner stay in the run. */
function sharedSlugs({ state, cast }: Running): readonly string[] {
  return state.answers.filter(({ party }) => cast.customers.has(party)).map(({ slug }) => slug)
}

async function cancelRun(play: Running): Promise<void> {
  const { key } = play.dice.pick(play.flow.parties)
  const reason = play.dice.chance(0.5) ? 'enough' : null
  mustSucceed(await actorOf(play, key).cancel(play.runId, reason))
  // A user who is bound to several parties cancels as the first of them.
  const user = play.cast.customers.get(key)
  const first = play.flow.parties.find((party) => play.cast.customers.get(party.key) === user)
  const open = play.state.copies.filter(({ status }) => status !== 'active')
  const { state, event } = cancel(play.state, first?.key ?? key, reason)
  play.state = state
  await checkOwnerView(play)
  await checkEvents(play, event, [], open)
}

async function checkEnd(play: Running): Promise<void> {
  await checkReaders(play)
  play.counts.add(`end ${play.state.status}`)
  await tryBadAct(play, pickByKey(play.dice, badEnds(play), play.wanted))
  // Without generation, only a cancel leads on.
  if (isOpen(play.state)) {
    await cancelRun(play)
    await checkReaders(play)
  } else if (play.state.status === 'completed' && play.flow.output_mode === 'data_only') await checkValues(play)
  await checkFiles(play)
}

async function checkReaders(play: Running): Promise<void> {
  for (const customer of customersOf(play.cast)) await checkCustomerView(play, customer)
}

/** Every value that the run has shared, as the company's backend reads it. */
async function checkValues({ state, cast, lane, reader, runId }: Running): Promise<void> {
  for (const customer of customersOf(cast)) {
    const own = state.answers.filter(({ party }) => cast.customers.get(party) === customer)
    if (own.length === 0) continue
    const values = membersOf((await lane.service.read(customer.connectionId))?.['values'])
    for (const { slug, text, isFile } of own) {
      const { value, value_url: url } = membersOf(values[slug])
      const found = isFile ? url : await reader.open(cast.company, String(value))
      const wanted = isFile ? `/api/company-data/flow-runs/${runId}/slots/${slug}/file` : text
      if (found !== wanted) throw new Mismatch(`the value of ${slug} is ${String(found)}, not ${wanted}`)
    }
  }
}

/** Each reader's copy of a file opens with its key. */
async function checkFiles({ state, cast, lane, runId, dice }: Running): Promise<void> {
  const customer = dice.pick(customersOf(cast))
  for (const { slug, text } of state.answers.filter(({ isFile }) => isFile)) {
    const slot = await lane.service.download(`/api/company-data/flow-runs/${runId}/slots/${slug}/file`)
    const { value } = membersOf(JSON.parse(slot.bytes.toString()))
    if ((await cast.company.open(String(value))) !== text) throw new Mismatch(`the company's copy of ${slug} differs`)
    const path = `/api/company-connections/${customer.connectionId}/flow-runs/${runId}`
    const run = await bodyOf(customer.account.calls('GET', path))
    const handle = handleIn(listOf(run['answers']).find((one) => one['slug'] === slug)?.['value'])
    const { text: wrapper } = await customer.account.calls('GET', `${path}/answer-files/${handle}`)
    if ((await customer.user.open(wrapper)) !== text) throw new Mismatch(`a customer's copy of ${slug} differs`)
  }
}
