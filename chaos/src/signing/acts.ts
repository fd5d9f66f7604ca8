import { createHash } from 'node:crypto'
import { createCryptoPlatform, generateOneTimeKey, importOneTimeKey, sealOnce } from '@sealpost/crypto'
import { type Answer, type Calls, listOf, northwind, openFileCopy, sealTo, underOneTimeKey } from '@sealpost/testkit'
import { countTrouble, type Tally } from '../flows/load.ts'
import { RUNS } from '../flows/runs.ts'
import { openSealed } from '../sealing.ts'
import { LINE, type Parties, type PartyKey } from './parties.ts'
import { type Act, expectedOf, type Run } from './runs.ts'

const platform = createCryptoPlatform(globalThis)
const LATE_MS = 2000

/** Tries the current act of a run once; true when it is acknowledged. */
export function advanceWith(parties: Parties): (tally: Tally, run: Run) => Promise<boolean> {
  return async (tally, run) => {
    const act = run.steps[run.done]
    if (act === undefined) return false
    const answer = await trySend(parties, run, act)
    if (answer === 'not yet') {
      run.waitsSince ??= Date.now()
      if (Date.now() - run.waitsSince > LATE_MS) tally.late += 1
      return false
    }
    run.waitsSince = null
    if (answer === null || answer.status >= 300) {
      countTrouble(tally, answer)
      return false
    }
    if (act === 'start') run.id = String(answer.body['id'])
    if (act === 'generate') recordDocuments(tally, run, answer)
    run.body = null
    run.done += 1
    return true
  }
}

/** Null without an answer; `not yet`: the copy or the turn has not arrived at its party. */
async function trySend(parties: Parties, run: Run, act: Act): Promise<Answer | null | 'not yet'> {
  try {
    return await send(parties, run, act)
  } catch (error) {
    if (error instanceof NotYet) return 'not yet'
    return null
  }
}

/** What a party needs for its act has not arrived. */
class NotYet extends Error {}

async function send(parties: Parties, run: Run, act: Act): Promise<Answer> {
  const { service, flowId } = parties
  const key = `${run.key}-${run.done}`
  switch (act) {
    case 'start':
      return service('POST', `/api/company-data/flows/${flowId}/runs`, { body: { targets: targetsOf(run) }, key })
    case 'ask':
      run.body ??= { answers: [await sealedAnswer(run, 'amount')], next_node: 'tell' }
      return service('POST', `${RUNS}/${run.id}/answers`, { body: run.body, key })
    case 'tell':
      await requireStatus(run, 'customer', 'awaiting_customer')
      run.body ??= { answers: [await sealedAnswer(run, 'nick')], leaf: true }
      return callsOf(parties, run, 'customer')('POST', `${pathAt(run, 'customer')}/answers`, { body: run.body, key })
    case 'generate':
      return generate(parties, run)
    case 'act':
      return takeStep(parties, run, key)
    case 'decline':
      return decline(parties, run, key)
    case 'cancel':
      return service('POST', `${RUNS}/${run.id}/cancel`, { body: {}, key })
  }
}

function targetsOf({ pair: { customer, partner } }: Run): object {
  return {
    customer: { connection_id: customer.connectionId },
    partner: { connection_id: partner.connectionId },
  }
}

function callsOf({ service }: Parties, { pair }: Run, party: PartyKey): Calls {
  return party === 'us' ? service : pair[party].calls
}

export function pathAt({ pair, id }: Run, party: 'customer' | 'partner'): string {
  return `/api/company-connections/${pair[party].connectionId}/flow-runs/${id}`
}

async function sealedAnswer({ pair: { customer, partner }, number }: Run, slug: string): Promise<object> {
  const readers = [
    [northwind.companyId, northwind.service.publicKey],
    [customer.user.userId, customer.user.keys.publicKey],
    [partner.user.userId, partner.user.keys.publicKey],
  ] as const
  const values: object[] = []
  for (const [for_user_id, publicKey] of readers)
    values.push({ for_user_id, value: await sealTo(publicKey, `${slug} ${number}`) })
  return { slug, values }
}

async function requireStatus(run: Run, party: 'customer' | 'partner', status: string): Promise<void> {
  const { body } = await run.pair[party].calls('GET', pathAt(run, party))
  if (body['status'] !== status) throw new NotYet()
}

/** Two calls at once, each with a hand-over of its own: they must answer the same documents. */
async function generate(parties: Parties, run: Run): Promise<Answer> {
  await requireHeard(run)
  const calls = callsOf(parties, run, 'customer')
  const post = async () => calls('POST', `${pathAt(run, 'customer')}/generate`, { body: await handOver(run) })
  const [first, second] = await Promise.all([post(), post().catch(() => null)])
  if (second !== null && second.status < 300 && first.status < 300 && second.text !== first.text)
    return { ...first, status: 500, text: `two sets of documents: ${first.text} and ${second.text}` }
  return first
}

/** After a lost answer the documents may be there already. */
async function requireHeard(run: Run): Promise<void> {
  const { body } = await run.pair.customer.calls('GET', pathAt(run, 'customer'))
  if (body['status'] !== 'generating' && body['status'] !== 'awaiting_signature') throw new NotYet()
}

async function handOver({ number }: Run): Promise<object> {
  const otk = generateOneTimeKey(platform)
  const key = await importOneTimeKey(platform, otk)
  if (!key.ok) throw new Error('a one-time key cannot be used')
  const values = JSON.stringify({ amount: `amount ${number}`, nick: `nick ${number}` })
  return { otk: otk.reveal(), values: await sealOnce(platform, key.value, Uint8Array.from(Buffer.from(values))) }
}

function recordDocuments(tally: Tally, run: Run, { body }: Answer): void {
  for (const { output_key: output, party_key: party, document_id: id } of listOf(body['documents'])) {
    const name = `${String(output)} ${String(party)}`
    if (run.documents.has(name)) tally.wrong.push(`run ${run.id} has two copies of ${name}`)
    run.documents.set(name, String(id))
  }
}

interface Copy {
  readonly content: string
  readonly pdf: Buffer
}

/** The party's copy of the step, once it is open. */
async function readCopy(parties: Parties, run: Run, party: PartyKey, output: string, status: string): Promise<Copy> {
  const id = run.documents.get(`${output} ${party}`) ?? ''
  const path = party === 'us' ? `/api/company-data/documents/${id}` : customerPath(run, party, id)
  const calls = callsOf(parties, run, party)
  const { body } = await calls('GET', path)
  // A repeated act may find its copy signed; its answer is stored under the key.
  if (body['status'] !== status) throw new NotYet()
  const file = await calls('GET', party === 'us' ? `${RUNS}/${run.id}/documents/${output}/file` : `${path}/file`)
  if (file.status !== 200) throw new NotYet()
  const value = String(file.body['value'])
  const pdf =
    party === 'us' ? pdfIn(await openSealed(parties.opening, value)) : openFileCopy(run.pair[party].user, value)
  return { content: String(body['content_sha256']), pdf: await pdf }
}

function pdfIn(envelope: string): Buffer {
  return Buffer.from(/;base64,([A-Za-z0-9+/=]*)"/.exec(envelope)?.[1] ?? '', 'base64')
}

export function customerPath({ pair }: Run, party: 'customer' | 'partner', documentId: string): string {
  return `/api/company-connections/${pair[party].connectionId}/documents/${documentId}`
}

async function takeStep(parties: Parties, run: Run, key: string): Promise<Answer> {
  const step = LINE[expectedOf(run).acted]
  if (step === undefined) throw new Error('the line has ended')
  const { party, output, act } = step
  if (run.body === null) {
    const { content, pdf } = await readCopy(parties, run, party, output, act === 'sign' ? 'ready_to_sign' : 'offering')
    run.body = {
      method: 'custodian',
      content_sha256: content,
      plain_sha256: createHash('sha256').update(pdf).digest('hex'),
      ...(await underOneTimeKey(pdf)),
    }
  }
  const sent = { body: run.body, key }
  if (party === 'us') return parties.portal('POST', `${ownerPath(run, output)}/${act}`, sent)
  const id = run.documents.get(`${output} ${party}`) ?? ''
  return run.pair[party].calls('POST', `${customerPath(run, party, id)}/${act}`, sent)
}

function ownerPath({ id }: Run, output: string): string {
  return `/api/portal/services/${northwind.serviceId}/flow-runs/${id}/documents/${output}`
}

/** The third step is the partner's. */
async function decline(parties: Parties, run: Run, key: string): Promise<Answer> {
  const id = run.documents.get('contract partner') ?? ''
  const path = customerPath(run, 'partner', id)
  if (run.body === null) {
    await readCopy(parties, run, 'partner', 'contract', 'offering')
    run.body = { reason: 'no' }
  }
  return run.pair.partner.calls('POST', `${path}/decline`, { body: run.body, key })
}
