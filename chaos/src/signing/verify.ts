import { webcrypto, X509Certificate } from 'node:crypto'
import { createUtf8Codec } from '@sealpost/crypto'
import { verifySeal } from '@sealpost/pdf-format'
import { type Answer, bodyOf, listOf, openFileCopy, testSeal, waitUntil } from '@sealpost/testkit'
import { RUNS } from '../flows/runs.ts'
import { inBatches } from '../roles/services.ts'
import { customerPath, pathAt } from './acts.ts'
import { LINE, OUTPUTS, type Parties, PARTY_KEYS } from './parties.ts'
import { expectedOf, type Run } from './runs.ts'

const ARRIVAL_MS = 120_000
const AT_ONCE = 6

/** How often the runs are not as the acknowledged acts imply. */
export interface Judged {
  wrong_states: number
  wrong_copies: number
  open_steps_wrong: number
  half_sealed: number
  repeated_signatures: number
  different_sides: number
  invalid_seals: number
  valid_seals: number
  extra_documents: number
}

export async function judgeRuns(parties: Parties, runs: readonly Run[]): Promise<Judged> {
  const judged: Judged = {
    wrong_states: 0,
    wrong_copies: 0,
    open_steps_wrong: 0,
    half_sealed: 0,
    repeated_signatures: 0,
    different_sides: 0,
    invalid_seals: 0,
    valid_seals: 0,
    extra_documents: 0,
  }
  await inBatches(runs, AT_ONCE, (run) => judgeRun(parties, run, judged))
  const { total } = await bodyOf(parties.service('GET', '/api/company-data/documents?limit=1'))
  const made = runs.filter((run) => expectedOf(run).isMade).length
  judged.extra_documents = Number(total) - made * OUTPUTS.length * PARTY_KEYS.length
  return judged
}

interface Copy {
  readonly name: string
  readonly id: string
  readonly status: string
  readonly position: number | null
}

function copiesIn({ body }: Answer): readonly Copy[] {
  const copies = listOf(body['participants']).flatMap(({ party_key: party, documents }) =>
    listOf(documents).map(({ output_key: output, document_id: id, document_status: status, position }) => ({
      name: `${String(output)} ${String(party)}`,
      id: String(id),
      status: String(status),
      position: typeof position === 'number' ? position : null,
    })),
  )
  return copies.toSorted((one, other) => (one.name < other.name ? -1 : 1))
}

async function judgeRun(parties: Parties, run: Run, judged: Judged): Promise<void> {
  const { status, isMade, acted } = expectedOf(run)
  const read = await parties.service('GET', `${RUNS}/${run.id}`)
  const copies = copiesIn(read)
  if (read.body['status'] !== status) judged.wrong_states += 1
  const open = copies.filter((copy) => copy.status === 'ready_to_sign' || copy.status === 'offering')
  if (open.length !== (status === 'awaiting_signature' ? 1 : 0)) judged.open_steps_wrong += 1
  if (!areCopies(run, copies, status)) judged.wrong_copies += 1
  for (const party of ['customer', 'partner'] as const)
    if (!(await arrives(run, party, status, copies))) judged.different_sides += 1
  if (!isMade) return
  for (const output of OUTPUTS) await judgeOutput(parties, run, { output, acted }, judged)
}

/** One copy for each party and output, with the ids that generate answered and the states that the acts imply. */
function areCopies(run: Run, copies: readonly Copy[], status: string): boolean {
  const { isMade, acted } = expectedOf(run)
  if (copies.length !== (isMade ? OUTPUTS.length * PARTY_KEYS.length : 0)) return false
  return copies.every(({ name, id, status: found, position }) => {
    const place = LINE.findIndex(({ party, output }) => `${output} ${party}` === name)
    if (run.documents.get(name) !== id || position !== (place < 0 ? null : place + 1)) return false
    if (place < acted) return found === 'active'
    if (status === 'cancelled') return found === 'ended'
    const opens = LINE[place]?.act === 'sign' ? 'ready_to_sign' : 'offering'
    return found === (place === acted ? opens : 'waiting')
  })
}

/** The last tell may still be on its way. */
function arrives(run: Run, party: 'customer' | 'partner', status: string, copies: readonly Copy[]): Promise<boolean> {
  return waitUntil('both sides agree', ARRIVAL_MS, async () => {
    const theirs = await run.pair[party].calls('GET', pathAt(run, party))
    return theirs.body['status'] === status && JSON.stringify(copiesIn(theirs)) === JSON.stringify(copies)
  }).then(
    () => true,
    () => false,
  )
}

/** An output is sealed for all parties when its own last signer has acted, and before that for none. */
async function judgeOutput(
  parties: Parties,
  run: Run,
  { output, acted }: { readonly output: (typeof OUTPUTS)[number]; readonly acted: number },
  judged: Judged,
): Promise<void> {
  const isComplete = LINE.every((step, place) => step.output !== output || place < acted)
  const documents: Answer['body'][] = []
  for (const party of PARTY_KEYS) {
    const id = run.documents.get(`${output} ${party}`) ?? ''
    documents.push(await bodyOf(parties.service('GET', `/api/company-data/documents/${id}`)))
  }
  if (documents.some((one) => (one['sealed_at'] !== null) !== isComplete)) judged.half_sealed += 1
  if (new Set(documents.map((one) => one['plain_sha256'])).size !== 1) judged.half_sealed += 1
  for (const [place, party] of PARTY_KEYS.entries()) {
    const step = LINE.findIndex((one) => one.party === party && one.output === output)
    const wanted = step >= 0 && step < acted ? 1 : 0
    if (listOf(documents[place]?.['signatures']).length !== wanted) judged.repeated_signatures += 1
  }
  if (!isComplete) return
  const isValid = await isSealValid(run, output, String(documents[0]?.['plain_sha256']))
  judged[isValid ? 'valid_seals' : 'invalid_seals'] += 1
}

/** As the customer of the other region opens it. */
async function isSealValid(run: Run, output: (typeof OUTPUTS)[number], plainSha256: string): Promise<boolean> {
  const { customer } = run.pair
  const path = customerPath(run, 'customer', run.documents.get(`${output} customer`) ?? '')
  const isThere = async (): Promise<boolean> => {
    return (await customer.calls('GET', path)).body['plain_sha256'] === plainSha256
  }
  await waitUntil('the sealed file has arrived', ARRIVAL_MS, isThere).catch(() => {})
  const { status, body } = await customer.calls('GET', `${path}/file`)
  if (status !== 200) return false
  const file = Uint8Array.from(await openFileCopy(customer.user, String(body['value'])))
  const host = { crypto: webcrypto, utf8: createUtf8Codec(globalThis) }
  const certificates = [Uint8Array.from(new X509Certificate(testSeal().root).raw)]
  const report = await verifySeal(host, file, { certificates })
  if (!report.ok) return false
  const { isIntact, isTrusted, isSignedContent, record } = report.value
  const signers = LINE.filter((step) => step.output === output).length
  return isIntact && isTrusted && isSignedContent && record?.document_id === run.id && record.acts.length === signers
}
