import { createCryptoPlatform, isWrapper } from '@sealpost/crypto'
import { type FlowRun, refuse, type SaidAnswer, type TurnPass } from '@sealpost/protocol'
import { lockOwnConnection } from '../../../connections/index.ts'
import { announceObject, keepObject, putFileAnswer } from '../../../vault/index.ts'
import { newHandle } from '../../rules/file-handles.ts'
import type { CustomerContext, OutgoingTurn, TurnReply } from '../context.ts'
import type { CustomerRun, StoredFile } from '../model.ts'
import { findFile, insertFile } from '../store/files.ts'
import { listAnswers, lockRun } from '../store/runs.ts'
import { runToWire } from '../wire.ts'
import { type AnnouncedLink, announceLinks, type GivenAnswer, shareClearFiles, withdrawOthers } from './flow-links.ts'
import { applyReply, fileIn } from './hear-runs.ts'
import { offerFile } from './staged-files.ts'

const platform = createCryptoPlatform(globalThis)

export interface GivenTurn {
  readonly answers: readonly GivenAnswer[]
  readonly next_node?: unknown
  readonly leaf?: unknown
}

/** The service's side decides; its reply is stored here, and its tell brings the same again. */
export async function answerRun(
  context: CustomerContext,
  run: CustomerRun,
  given: GivenTurn,
  mark: string | null,
): Promise<FlowRun> {
  for (const answer of given.answers) await requireOwnFile(context, run, answer)
  const links = await announceLinks(context, run, given.answers)
  const answers = given.answers.map((answer, place) => saidByCustomer(answer, links.get(place)))
  const turn: OutgoingTurn = { answers, next_node: given.next_node ?? null, leaf: given.leaf ?? null }
  const reply = await context.messages.askToAnswer(run, turn, mark)
  await withdrawOthers(context, run, links, reply)
  const answer = await storeReply(context, run, reply)
  await shareClearFiles(context, run, given.answers)
  return answer
}

function saidByCustomer(
  { slug, values, source_private = false }: GivenAnswer,
  link: AnnouncedLink | undefined,
): SaidAnswer {
  return {
    slug: slug ?? null,
    values: values ?? null,
    source_private,
    attested: link?.attested ?? null,
    is_linked: link !== undefined,
    ...(link === undefined ? {} : { link_rev: link.rev, is_source_private: link.isPrivate }),
  }
}

export async function cancelRun(
  context: CustomerContext,
  run: CustomerRun,
  reason: string | null,
  mark: string | null,
): Promise<FlowRun> {
  return storeReply(context, run, await context.messages.askToCancel(run, reason, mark))
}

/** The service's side holds the plugins, and decides whose turn it is. */
export async function passForRun({ messages }: Pick<CustomerContext, 'messages'>, run: CustomerRun): Promise<TurnPass> {
  const reply = await messages.askForPass(run)
  if (reply.outcome === 'refused') throw refuse(reply.refusal)
  return reply.pass
}

function storeReply(context: CustomerContext, run: CustomerRun, reply: TurnReply): Promise<FlowRun> {
  if (reply.outcome === 'refused') throw refuse(reply.refusal)
  return context.database.transaction(async (tx) => {
    const connection = await lockOwnConnection(tx, { accountId: run.accountId, id: run.connectionId })
    const before = await lockRun(tx, run)
    if (before === null) throw refuse('flows.run_not_found')
    const after = await applyReply(context, tx, { connection, run: before }, reply)
    const answer = runToWire(after, await listAnswers(tx, after))
    await tx.storeAnswer(answer)
    return answer
  })
}

/** The own copy of a file rests here, so the service's side cannot check it; whose turn it is, only that side knows. */
async function requireOwnFile(
  context: CustomerContext,
  run: CustomerRun,
  { slug, values }: GivenAnswer,
): Promise<void> {
  const { accountId } = run
  for (const id of ownFiles(accountId, values)) {
    const file = await context.database.read((read) => findFile(read, accountId, id))
    if (file !== null && file.runId === run.id && file.slug === slug) continue
    const upload = { slug: String(slug), forUserId: accountId, length: 0, offer: null }
    const { refusal } = await context.messages.askToTakeFile(run, upload)
    throw refuse(refusal ?? 'flows.answer_invalid')
  }
}

function ownFiles(accountId: string, values: unknown): readonly string[] {
  const copies: readonly unknown[] = Array.isArray(values) ? values : []
  return copies.flatMap((one) => {
    const isOwn = typeof one === 'object' && one !== null && 'for_user_id' in one && one.for_user_id === accountId
    const value: unknown = isOwn && 'value' in one ? one.value : undefined
    const id = typeof value === 'string' && !isWrapper(platform, value) ? fileIn(value) : null
    return id === null ? [] : [id]
  })
}

export interface Upload {
  readonly slug: string
  readonly for_user_id: string
  readonly value: unknown
}

/** The own copy stays here; the service's side takes every other one. */
export async function storeAnswerFile(
  context: CustomerContext,
  run: CustomerRun,
  { slug, for_user_id: forUserId, value }: Upload,
): Promise<{ readonly file: string }> {
  const length = typeof value === 'string' ? value.length : 0
  const { refusal } = await context.messages.askToTakeFile(run, { slug, forUserId, length, offer: null })
  if (refusal !== null) throw refuse(refusal)
  if (typeof value !== 'string' || !isWrapper(platform, value)) throw refuse('contact_data.encryption_required')
  const object = await storeWrapper(context, value, forUserId === run.companyId)
  if (forUserId === run.accountId) return keepOwn(context, run, slug, object)
  const offer = await offerFile(context, object)
  const taken = await context.messages.askToTakeFile(run, { slug, forUserId, length, offer })
  if (taken.refusal !== null || taken.file === null) throw refuse(taken.refusal ?? 'flows.run_not_awaiting')
  return { file: taken.file }
}

/** In the form in which the file routes of its reader answer it; garbage until it is kept. */
async function storeWrapper(context: CustomerContext, wrapper: string, isForCompany: boolean): Promise<StoredFile> {
  const objectKey = await announceObject(context)
  const stored = isForCompany
    ? await putFileAnswer(context.objects, objectKey, true, wrapper)
    : await context.objects.put(objectKey, Buffer.from(wrapper), { contentType: 'application/json' })
  if (!stored.ok) throw new Error('a file changed while it was stored')
  return { objectKey, sha256: stored.value.sha256, bytes: stored.value.sizeBytes }
}

function keepOwn(
  context: CustomerContext,
  run: CustomerRun,
  slug: string,
  object: StoredFile,
): Promise<{ readonly file: string }> {
  const id = newHandle(context, 'af')
  return context.database.transaction(async (tx) => {
    const locked = await lockRun(tx, run)
    if (locked === null || locked.state.data_deleted_at !== null) throw refuse('flows.run_not_awaiting')
    await keepObject(tx, object.objectKey)
    const { accountId, serviceId, id: runId } = run
    const createdAt = context.clock.now()
    await insertFile(tx, { ...object, accountId, id, serviceId, runId, slug, isUsed: false, createdAt })
    await tx.storeAnswer({ file: id })
    return { file: id }
  })
}
