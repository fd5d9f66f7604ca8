import { resolveType } from '@sealpost/field-types'
import { type Advance, answerElements, checkAdvance, type Definition, type FlowNode } from '@sealpost/flow'
import { accept, decline, type Instant, type Result, type UserId } from '@sealpost/kernel'
import type { Tx } from '@sealpost/postgres'
import type { RunCopy, SaidAnswer, TurnRefusal } from '@sealpost/protocol'
import { type LinkedAnswer, linkAnswer, type StoredConnection } from '../../../connections/index.ts'
import { appendEvents } from '../../../feed/index.ts'
import { loadRegistry } from '../../../registry/index.ts'
import type { ServiceSideContext } from '../context.ts'
import type { Actor, AnswerFile, BoundParty, RunName, StoredAnswer, StoredRun } from '../model.ts'
import { type CopyValue, type ReadAnswer, readAnswers } from '../rules/said-answers.ts'
import { awaiting, requireTurn } from '../rules/status.ts'
import { insertAnswers } from '../store/answers.ts'
import { deleteAnswerFile, listAnswerFiles, markFileUsed } from '../store/files.ts'
import { lockForAct } from './lock-run.ts'
import { pinnedDefinition } from './read-runs.ts'
import { customersOf, recordRun, usersOf } from './record-run.ts'
import { shareAnswers } from './share-answers.ts'

export interface SaidTurn {
  readonly answers: readonly SaidAnswer[]
  readonly next_node: unknown
  readonly leaf: unknown
}

export interface Taken {
  readonly run: StoredRun
  readonly definition: Definition
  /** The actor's copies of the new answers. */
  readonly copies: readonly RunCopy[]
}

/** This side decides for every party: the copies of all are stored, sent on and announced in this transaction. */
export async function takeTurn(
  context: ServiceSideContext,
  tx: Tx,
  name: RunName | StoredRun,
  actor: Actor,
  said: SaidTurn,
): Promise<Result<Taken, TurnRefusal>> {
  const locked = await lockForAct(tx, name, actor)
  if (locked === null) return decline('flows.run_not_found')
  const before = locked.run
  const party = requireTurn(before, actor)
  if (!party.ok) return party
  const definition = await pinnedDefinition(tx, before)
  const node = definition.nodes.find(({ key }) => key === before.currentNode)
  if (node === undefined) return decline('flows.next_node_invalid')
  const registry = await loadRegistry(tx)
  const isBinary = (type: string): boolean => (resolveType(registry, type).lane ?? 'inline') !== 'inline'
  const hasFiles = answerElements(node).some((one) => one.kind === 'field' && isBinary(one.field_type))
  const files = hasFiles ? await listAnswerFiles(tx, name) : []
  const answers = readAnswers(said.answers, {
    node,
    users: usersOf(before),
    isBinary,
    // A customer's own files rest in the region that asks.
    hasFile: (file, slug, userId) =>
      (actor.region !== null && userId === actor.userId) ||
      files.some((one) => one.id === file && one.slug === slug && one.forUserId === userId),
    acceptsObjects: context.settings.ACCEPT_OBJECT_ANSWERS,
  })
  if (!answers.ok) return answers
  const advance = checkAdvance(definition, before.currentNode, said)
  if (!advance.ok) return advance
  const at = context.clock.now()
  const after = advanced(before, advance.value, answers.value, at)
  const copies = copiesOf(before, answers.value, actor)
  const connection = locked.connections.find(({ customerId }) => customerId === actor.userId)
  const stored = answers.value.map((answer) => companyCopy(answer, before, party.value, at))
  await insertAnswers(tx, name, stored)
  for (const answer of answers.value) {
    await moveFiles(context, tx, before, answer, files)
    if (connection !== undefined) await followField(context, tx, connection, { run: before, node, answer, files })
  }
  const events = await recordRun(context, tx, { before, after, copies })
  const shared = after.status === 'completed' ? await shareAnswers(tx, after, definition, locked.connections) : []
  await appendEvents(context, tx, [...shared, ...events])
  return accept({ run: after, definition, copies: copies.get(actor.userId) ?? [] })
}

function advanced(before: StoredRun, advance: Advance, answers: readonly ReadAnswer[], at: Instant): StoredRun {
  const isPrivate = answers.filter((answer) => answer.isPrivate).map(({ slug }) => slug)
  return {
    ...before,
    status: advance.to === 'turn' ? awaiting(advance.party) : advance.to,
    currentNode: advance.node,
    privateSlugs: [...new Set([...before.privateSlugs, ...isPrivate])].toSorted(),
    rev: before.rev + 1,
    updatedAt: at,
  }
}

function companyCopy(answer: ReadAnswer, run: StoredRun, party: BoundParty, at: Instant): StoredAnswer {
  const copy = copyFor(answer, run.companyId)
  return {
    slug: answer.slug,
    partyKey: party.partyKey,
    value: copy.text,
    isPrivate: answer.isPrivate,
    isLinked: answer.isLinked,
    attested: answer.attested,
    file: copy.kind === 'file' ? copy.file : null,
    at,
  }
}

function copyFor({ slug, copies }: ReadAnswer, userId: UserId): CopyValue {
  const copy = copies.get(userId)
  if (copy === undefined) throw new Error(`answer ${slug} has no copy for ${userId}`)
  return copy
}

function copiesOf(
  run: StoredRun,
  answers: readonly ReadAnswer[],
  actor: Actor,
): ReadonlyMap<UserId, readonly RunCopy[]> {
  return new Map(
    customersOf(run).map(({ userId }) => [
      userId,
      answers.map((answer) => ({
        slug: answer.slug,
        value: copyFor(answer, userId).text,
        attested: answer.attested,
        ...(answer.link === null || userId !== actor.userId ? {} : { link_rev: answer.link.rev }),
      })),
    ]),
  )
}

interface LinkFacts {
  readonly run: StoredRun
  readonly node: FlowNode
  readonly answer: ReadAnswer
  readonly files: readonly AnswerFile[]
}

/** Records the link of an answer; the customer's region brings every later value of the field. */
async function followField(
  context: ServiceSideContext,
  tx: Tx,
  connection: StoredConnection,
  { run, node, answer, files }: LinkFacts,
): Promise<void> {
  const { slug, link, attested } = answer
  const element = answerElements(node).find((one) => one.slug === slug)
  if (link === null || element?.kind !== 'field') return
  const { flowId, id: runId } = run
  const content = linkedContent(copyFor(answer, run.companyId), files)
  await linkAnswer(context, tx, connection, {
    flowId,
    runId,
    slug,
    type: element.field_type,
    ...link,
    attested,
    content,
  })
}

function linkedContent(copy: CopyValue, files: readonly AnswerFile[]): LinkedAnswer['content'] {
  if (copy.kind === 'sealed') return { kind: 'sealed', value: copy.text }
  const file = files.find(({ id }) => id === copy.file)
  return file === undefined ? { kind: 'none' } : { kind: 'frozen', sha256: file.sha256 }
}

/** The company's copy stays here; the others travel to the regions of their readers, before the run that names them. */
async function moveFiles(
  { messages }: ServiceSideContext,
  tx: Tx,
  run: StoredRun,
  { slug, copies }: ReadAnswer,
  files: readonly AnswerFile[],
): Promise<void> {
  for (const [userId, copy] of copies) {
    const file = copy.kind === 'file' ? files.find(({ id }) => id === copy.file) : undefined
    if (file === undefined) continue
    const to = customersOf(run).find((one) => one.userId === userId)
    if (to === undefined) await markFileUsed(tx, run.serviceId, file.id)
    else {
      await messages.tellFile(tx, run, to, { id: file.id, slug, object: file })
      await deleteAnswerFile(tx, run.serviceId, file.id)
    }
  }
}
