import { parseObjectKey, parseSha256 } from '@sealpost/objects'
import type { Tx } from '@sealpost/postgres'
import type { RunCopy, RunStart, RunState } from '@sealpost/protocol'
import {
  confirmFlowLinks,
  findServiceCard,
  isOfSender,
  type LockedConnection,
  lockOwnConnection,
} from '../../../connections/index.ts'
import { listStatusesOfRun } from '../../../documents/index.ts'
import { appendEvents } from '../../../feed/index.ts'
import { discardObjects } from '../../../vault/index.ts'
import { isAnswerFile } from '../../rules/file-handles.ts'
import { openCopy } from '../../wire.ts'
import type { CustomerContext } from '../context.ts'
import type { ConnectedName, CustomerRun, RunName, StoredFile } from '../model.ts'
import { deleteFilesOfRun, insertFile, useFiles } from '../store/files.ts'
import { deleteAnswers, insertAnswers, insertPartyKeys, insertRun, lockRun, updateRun } from '../store/runs.ts'

export interface ToldRun extends ConnectedName, RunName {
  readonly state: RunState
  readonly start: RunStart | null
  readonly answers: readonly RunCopy[]
}

/** Stores a new state of a run. It is also told after the connection has ended: that end cancels the run. */
export async function hearRun(context: CustomerContext, tx: Tx, told: ToldRun): Promise<void> {
  const connection = await lockOwnConnection(tx, { accountId: told.accountId, id: told.connectionId })
  const before = await lockRun(tx, told)
  if (before === null) {
    if (told.start !== null && connection !== null) await receiveRun(context, tx, connection, told, told.start)
    return
  }
  if (isOfSender(before, told)) await applyState(context, tx, { connection, run: before }, told)
}

async function receiveRun(
  context: CustomerContext,
  tx: Tx,
  connection: LockedConnection,
  told: ToldRun,
  start: RunStart,
): Promise<void> {
  if (!isOfSender(connection, told) || connection.connectedAt === null) return
  const card = await findServiceCard(tx, connection.serviceId)
  if (card === null || card.isEnded) return
  const run: CustomerRun = {
    accountId: told.accountId,
    id: told.id,
    userType: connection.userType,
    connectionId: connection.id,
    companyId: connection.companyId,
    companyRegion: connection.companyRegion,
    serviceId: connection.serviceId,
    companyCode: card.facts.company.share_code,
    serviceCode: card.facts.code,
    start,
    state: told.state,
  }
  await insertRun(tx, run)
  await insertPartyKeys(tx, run.accountId, start.keys)
  await useFiles(tx, run, start.staged)
  await appendEvent(context, tx, null, run)
}

/** A reply and the tell of the same change bring the same state; a lower number has no effect. Requires the locks. */
export async function applyState(
  context: CustomerContext,
  tx: Tx,
  { connection, run: before }: { readonly connection: LockedConnection | null; readonly run: CustomerRun },
  { state, answers }: { readonly state: RunState; readonly answers: readonly RunCopy[] },
): Promise<CustomerRun> {
  if (state.data_deleted_at === null && before.state.data_deleted_at === null) {
    await insertAnswers(tx, before, state.rev, answers)
    const files = answers.flatMap(({ value }) => fileIn(value) ?? [])
    await useFiles(tx, before, files)
  }
  if (connection !== null) {
    const revs = answers.flatMap(({ link_rev: rev }) => rev ?? [])
    await confirmFlowLinks(context.connections, tx, connection, revs)
  }
  if (state.rev <= before.state.rev) return before
  const isDeleted = state.data_deleted_at !== null
  const start = isDeleted ? { ...before.start, tag_values: null, source_files: {}, staged: [] } : before.start
  const after = { ...before, start, state }
  await updateRun(tx, after)
  if (isDeleted) await removeContent(context, tx, after)
  await appendEvent(context, tx, before, after)
  return after
}

/**
 * [Note: copies before their run] A reply may overtake the tells of the same change, which bring the copies first and the
 * run last. A state that names an own copy which has not come yet is answered and not stored: its tell will.
 */
export async function applyReply(
  context: CustomerContext,
  tx: Tx,
  locked: { readonly connection: LockedConnection | null; readonly run: CustomerRun },
  reply: { readonly state: RunState; readonly answers: readonly RunCopy[] },
): Promise<CustomerRun> {
  const { run } = locked
  if (await hasCopies(tx, run, reply.state)) return applyState(context, tx, locked, reply)
  return reply.state.rev > run.state.rev ? { ...run, state: reply.state } : run
}

/** Whether each own copy that the state names has the status that the state says. */
async function hasCopies(tx: Tx, { accountId, id, start }: CustomerRun, { documents }: RunState): Promise<boolean> {
  const own = documents.filter(({ party_key: key }) => start.bindings[key] === accountId)
  if (own.length === 0) return true
  const statuses = await listStatusesOfRun(tx, accountId, id)
  return own.every(({ document_id, status }) => statuses.get(document_id) === status)
}

async function removeContent({ clock }: CustomerContext, tx: Tx, run: CustomerRun): Promise<void> {
  await deleteAnswers(tx, run)
  await discardObjects(tx, await deleteFilesOfRun(tx, run), clock.now())
}

/** The handle in a reference to a file. */
export function fileIn(value: string): string | null {
  const [, file = ''] = /^\s*\{.*"_enc_file"\s*:\s*"([^"]*)"/s.exec(value) ?? []
  return isAnswerFile(file) ? file : null
}

export interface ToldFile extends ConnectedName, RunName {
  readonly file: string
  readonly slug: string
  readonly attachment: { readonly objectKey: string; readonly sha256: string; readonly bytes: number } | null
}

export async function hearFile({ clock }: CustomerContext, tx: Tx, told: ToldFile): Promise<void> {
  // The sender was restored from a backup and no longer has the file.
  if (told.attachment === null) return
  const file = readFile(told.attachment)
  const run = await lockRun(tx, told)
  const isWanted = run?.companyRegion === told.companyRegion && run.state.data_deleted_at === null
  const isKept =
    isWanted &&
    (await insertFile(tx, {
      ...file,
      accountId: told.accountId,
      id: told.file,
      serviceId: told.serviceId,
      runId: told.id,
      slug: told.slug,
      isUsed: true,
      createdAt: clock.now(),
    }))
  if (!isKept) await discardObjects(tx, [file.objectKey], clock.now())
}

function readFile(attachment: NonNullable<ToldFile['attachment']>): StoredFile {
  const [objectKey, sha256] = [parseObjectKey(attachment.objectKey), parseSha256(attachment.sha256)]
  if (objectKey === null || sha256 === null) throw new Error('invalid attachment of a run')
  return { objectKey, sha256, bytes: attachment.bytes }
}

/** Companies have a feed; the devices of a person get a hint and read again. Last in the transaction. */
async function appendEvent(
  context: CustomerContext,
  tx: Tx,
  before: CustomerRun | null,
  after: CustomerRun,
): Promise<void> {
  const kind = eventKind(before?.state ?? null, after.state)
  if (kind === null) return
  const { accountId, id } = after
  if (after.userType === 'person') {
    await context.hooks.hint(tx, { accountId, kind, id })
    return
  }
  const { companyCode: company_share_code, serviceCode: service_share_code } = after
  const by = kind === 'flow_cancelled' ? { cancelled_by: after.state.cancelled_by ?? 'system' } : {}
  const payload = { company_share_code, service_share_code, flow_run_id: id, ...by }
  const owner = { kind: 'account', accountId } as const
  await appendEvents(context, tx, [{ owner, kind, connectionId: after.connectionId, payload, key: null }])
}

function eventKind(before: RunState | null, after: RunState) {
  if (after.status === 'awaiting_signature') return hasOpened(before, after) ? ('flow_run_turn' as const) : null
  if (before?.status === after.status) return null
  if (after.status === 'completed') return 'flow_completed' as const
  if (after.status === 'cancelled') return 'flow_cancelled' as const
  return after.status.startsWith('awaiting_') ? ('flow_run_turn' as const) : null
}

/** Whether another step of the signing line is open now. */
function hasOpened(before: RunState | null, after: RunState): boolean {
  const [closed, opened] = [openCopy(before?.documents ?? []), openCopy(after.documents)]
  return opened !== null && opened.document_id !== closed?.document_id
}
