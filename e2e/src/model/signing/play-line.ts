import { openFolder, runTool } from '@sealpost/pdf/testing'
import { verifySealedPdf } from '@sealpost/sdk'
import { testSeal } from '@sealpost/testkit'
import { customersOf } from '../flows/cast.ts'
import { Mismatch } from '../flows/mismatch.ts'
import { expectRefused, type Running } from '../flows/play.ts'
import { cancel, type ModelCopy } from '../flows/reference.ts'
import { rowsOfRun } from '../flows/stored-rows.ts'
import { checkCustomerView, checkOwnerView } from '../flows/views.ts'
import { nodeOf } from '../flows/written.ts'
import { acted, openCopy, sealedOutputs } from './documents.ts'
import { generateDocuments } from './generate.ts'
import { outcomeOf, post, RUNS } from './hand-over.ts'
import type { Filling } from './recorded-fill.ts'
import { actOn, declineCopy, type Proofs, readCopy } from './sign.ts'

export interface Documents {
  readonly proofs: Proofs
  readonly fillings: Readonly<Record<string, Filling>>
  /** Whether this run uses the real PDF engine. */
  readonly isReal: boolean
}

/** From the last step to the end of the signing line; `cancelRun` ends a run that makes no documents. */
export async function playDocuments(
  play: Running,
  documents: Documents,
  cancelRun: (play: Running) => Promise<void>,
): Promise<void> {
  const filling = documents.fillings[play.lane.service.company.region]
  if (filling === undefined) throw new Error('the region has no PDF engine')
  filling.begin(documents.isReal)
  if (!(await generateDocuments(play, filling))) {
    await cancelRun(play)
    play.counts.add('ended without documents')
    return
  }
  await checkGenerated(play)
  if (documents.isReal) await checkPrinted(play)
  while (play.state.status === 'awaiting_signature') {
    if (play.dice.chance(0.3)) await tryBadAct(play)
    if (play.dice.chance(0.04)) await cancelRun(play)
    else if (play.dice.chance(0.06)) await decline(play)
    else await takeStep(play, documents.proofs)
  }
  for (const customer of customersOf(play.cast)) await checkCustomerView(play, customer)
  await checkSealed(play, documents.isReal)
}

async function checkGenerated(play: Running): Promise<void> {
  await checkOwnerView(play)
  const events = await play.lane.service.drain()
  const created = events.filter(({ event }) => event === 'document_created').map((one) => String(one['document_id']))
  const wanted = play.state.copies.map(({ documentId }) => documentId)
  if (created.toSorted().join() !== wanted.toSorted().join())
    throw new Mismatch(`${created.length} events of new documents, not ${wanted.length}`)
  expectKinds(play, events.slice(created.length), [['flow_run_turn', openCopy(play.state)?.party ?? '']])
}

type Kind = readonly [event: string, about: string, action?: string | null]

/** Exactly these, in their order: turns with the party, changes with the document and what was done. */
function expectKinds(play: Running, events: readonly Readonly<Record<string, unknown>>[], wanted: readonly Kind[]) {
  const seen = events
    .filter(({ event }) => event !== 'document_updated')
    .map((one) => {
      if (one['event'] !== 'document_status_changed')
        return [one['event'], one['awaiting_party'] ?? one['cancelled_by'] ?? '']
      return [one['event'], one['document_id'], one['action']]
    })
  if (JSON.stringify(seen) !== JSON.stringify(wanted))
    throw new Mismatch(`events of run ${play.runId}: ${JSON.stringify(seen)}, not ${JSON.stringify(wanted)}`)
}

async function takeStep(play: Running, proofs: Proofs): Promise<void> {
  const acting = openCopy(play.state)
  if (acting === null) throw new Mismatch('no step of the line is open')
  await actOn(play, acting, proofs)
  const before = sealedOutputs(play.state)
  const { state, opened } = acted(play.state, play.world.time())
  play.state = state
  await checkOwnerView(play)
  const events = await play.lane.service.drain()
  expectKinds(play, events, [
    ['document_status_changed', acting.documentId, acting.action === 'sign' ? 'signed' : 'accepted'],
    ...(opened === null
      ? [['flow_completed', ''] as const]
      : [['document_status_changed', opened.documentId, null] as const, ['flow_run_turn', opened.party] as const]),
  ])
  const updated = events.filter(({ event }) => event === 'document_updated').length
  const isSealed = sealedOutputs(state).length > before.length
  if (updated !== (isSealed ? play.flow.parties.length - 1 : 0))
    throw new Mismatch(`${updated} copies were replaced when ${acting.outputKey} was ${isSealed ? '' : 'not '}sealed`)
  play.counts.add('acts')
}

async function decline(play: Running): Promise<void> {
  const open = play.state.copies.filter(({ status }) => status !== 'active')
  const copy = play.dice.pick(open)
  const reason = play.dice.chance(0.5) ? 'no longer' : null
  // The region of the customer must know the copy.
  await readCopy(play, copy)
  await declineCopy(play, copy, reason)
  const ended = inLine(open)
  play.state = cancel(play.state, copy.party, reason).state
  await checkOwnerView(play)
  const kinds = ended.map(({ documentId }) => ['document_status_changed', documentId, 'cancelled'] as const)
  expectKinds(play, await play.lane.service.drain(), [...kinds, ['flow_cancelled', copy.party]])
  play.counts.add('end declined')
}

function inLine(copies: readonly ModelCopy[]): readonly ModelCopy[] {
  return copies.toSorted((one, other) => (one.position ?? 0) - (other.position ?? 0))
}

/** Of the refusals of a run whose documents are made. */
async function tryBadAct(play: Running): Promise<void> {
  const { state, dice, runId, flow, lane } = play
  const copy = dice.pick(state.copies.filter(({ status }) => status !== 'active'))
  const { party } = nodeOf(flow, state.node)
  const bad = dice.pick([
    {
      name: `a change of a copy that is ${copy.status}`,
      key: 'documents.run_managed',
      act: () =>
        outcomeOf(
          lane.service.data('PUT', `/api/company-data/documents/${copy.documentId}`, { body: { status: 'ended' } }),
        ),
    },
    {
      name: 'an input after the documents',
      key: 'flows.not_generatable',
      act: () => post(play, party, '/generate/inputs', { source_key: 'field:none', value: 'x' }),
    },
    {
      name: 'a document that is not made',
      key: 'flows.no_document',
      act: () => outcomeOf(lane.service.data('GET', `${RUNS}/${runId}/documents/none/file`)),
    },
    {
      name: 'a turn when awaiting_signature',
      key: 'flows.run_not_awaiting',
      act: () => post(play, party, '/answers', { answers: [], leaf: true }),
    },
  ])
  await expectRefused(play, bad, () => rowsOfRun(play), bad.act)
}

/** The stored seals are those of the outputs whose last signer has acted, on the copies of all parties. */
async function checkSealed(play: Running, isReal: boolean): Promise<void> {
  const { world, lane, runId, state } = play
  const rows = await world.rows<{ output: string; sealed: boolean }>(
    `select output_key as output, sealed_at is not null as sealed from documents_service.document
    where service_id = $1 and run_id = $2`,
    [lane.service.serviceId, runId],
    lane.service.company.region === 'eu' ? 'eu' : 'us',
  )
  const wanted = sealedOutputs(state)
  const wrong = rows.find(({ output, sealed }) => sealed !== wanted.includes(output))
  if (wrong !== undefined) throw new Mismatch(`a copy of ${wrong.output} is ${wrong.sealed ? '' : 'not '}sealed`)
  play.counts.add('sealed outputs', wanted.length)
  if (!isReal) return
  const { root: certificates } = testSeal()
  for (const output of wanted) {
    const own = state.copies.find(({ outputKey }) => outputKey === output)
    if (own === undefined) continue
    const { pdf } = await readCopy(play, own)
    const { isValid } = await verifySealedPdf(pdf, { certificates })
    if (!isValid) throw new Mismatch(`the seal of ${output} is not valid`)
    play.counts.add('verified seals')
  }
}

const SIMPLE = /^[\w.-]{1,20}$/

/** What another program reads on the pages that the real engine has filled. */
async function checkPrinted(play: Running): Promise<void> {
  const [copy] = play.state.copies
  if (copy === undefined) return
  const { pdf } = await readCopy(play, copy)
  const { output } = await runTool('pdftotext', '-layout', openFolder().write('one.pdf', pdf), '-')
  for (const { slug, text, isFile } of play.state.answers) {
    if (isFile || !SIMPLE.test(text) || !output.includes(`${slug}=`)) continue
    if (!output.includes(`${slug}=[${text}]`)) throw new Mismatch(`${slug}=[${text}] is not printed in ${output}`)
  }
  if (output.includes('{{')) throw new Mismatch(`a tag is printed: ${output}`)
  play.counts.add('printed by the real engine')
}
