import { accept, decline, type Instant, type Result } from '@sealpost/kernel'
import type { Tx } from '@sealpost/postgres'
import type { ActRefusal, DocumentAct } from '@sealpost/protocol'
import { appendEvents } from '../../../feed/index.ts'
import { discardObjects, keepObject } from '../../../vault/index.ts'
import type { LockedRun, ServiceSideContext } from '../context.ts'
import type { DocumentId, PreparedSeal, RunCopy, RunName, SealedCopy, SealId, Signature } from '../model.ts'
import { decideAct, type Decided, signatureOf } from '../rules/acts.ts'
import { isOpen } from '../rules/contracts.ts'
import { documentEvent, statusEvent } from '../rules/events.ts'
import { actsOnOutput, completesOutput, nextInLine, opened } from '../rules/run-copies.ts'
import { lockRunCopies } from '../store/run-copies.ts'
import { insertSignature, listSignatures } from '../store/signatures.ts'
import { type Change, recordChanges } from './record-change.ts'
import { connectionOf, named } from './run-copies.ts'
import { takeSeal } from './take-seal.ts'

export interface RunAct {
  readonly name: RunName
  readonly documentId: DocumentId
  readonly act: DocumentAct
  readonly sealId: SealId | null
  /** Whether the copy is that of the caller. */
  readonly isOwn: (copy: RunCopy, run: LockedRun) => boolean
}

export interface ActedInRun {
  readonly document: RunCopy
  readonly signatures: readonly Signature[]
}

interface Acting extends RunAct {
  readonly run: LockedRun
  readonly copies: readonly RunCopy[]
  readonly before: RunCopy
  readonly now: Instant
}

/** An act on a copy of a run: by its customer, or by the company. It meets all other acts at the lock of the run. */
export async function actInRun(
  context: ServiceSideContext,
  tx: Tx,
  request: RunAct,
): Promise<Result<ActedInRun, ActRefusal>> {
  const run = await context.runs.lock(tx, request.name)
  if (run === null) return decline('not_found')
  const copies = await lockRunCopies(tx, request.name)
  const before = copies.find(({ id }) => id === request.documentId)
  if (before === undefined || !request.isOwn(before, run)) return decline('not_found')
  const acting: Acting = { ...request, run, copies, before, now: context.clock.now() }
  if (request.act.act === 'decline') return declineCopy(context, tx, acting, request.act.note)
  const decided = decideAct(before, request.act, acting.now)
  if (!decided.ok) return decided
  return request.act.act === 'cancel'
    ? cancelCopy(context, tx, acting, decided.value)
    : takeStep(context, tx, acting, decided.value)
}

/** A party may decline before its turn. The run ends, and this copy with it. */
async function declineCopy(
  context: ServiceSideContext,
  tx: Tx,
  { name, run, before }: Acting,
  reason: string | null,
): Promise<Result<ActedInRun, ActRefusal>> {
  if (!run.isOpen || !isOpen(before.status)) return decline('status_invalid')
  const events = await context.runs.cancel(tx, name, { by: before.partyKey, reason })
  await appendEvents(context, tx, events)
  const after = (await lockRunCopies(tx, name)).find(({ id }) => id === before.id)
  if (after === undefined) throw new Error(`document ${before.id} is gone`)
  return accept({ document: after, signatures: [] })
}

async function cancelCopy(
  context: ServiceSideContext,
  tx: Tx,
  { name, run, before, now }: Acting,
  { changed, action, note }: Decided,
): Promise<Result<ActedInRun, ActRefusal>> {
  const signatures = await listSignatures(tx, before.serviceId, [before.id])
  const after: RunCopy = { ...before, ...changed, rev: before.rev + 1, updatedAt: now }
  const event = statusEvent(named(run, after), { action, signature: null, note })
  const change = { before, after, connection: connectionOf(run, before), signatures, event }
  const events = await recordChanges(context, tx, [change])
  const cause = { by: before.partyKey, reason: note }
  const more = run.isOpen ? await context.runs.cancel(tx, name, cause) : []
  await appendEvents(context, tx, [...events, ...more])
  return accept({ document: after, signatures })
}

/** The open step of the line is done: its output may be complete, and the next step opens. */
async function takeStep(
  context: ServiceSideContext,
  tx: Tx,
  acting: Acting,
  decided: Decided,
): Promise<Result<ActedInRun, ActRefusal>> {
  const { name, run, copies, before, act, now } = acting
  if (!run.isOpen) return decline('status_invalid')
  const recorded = await listSignatures(
    tx,
    before.serviceId,
    copies.map(({ id }) => id),
  )
  const acts = actsOnOutput(copies, before.outputKey, recorded).length
  const seal = completesOutput(copies, before) ? await takeSeal(tx, { ...acting, acts }) : accept(null)
  if (!seal.ok) return seal
  const signature = signatureOf(before, act, seal.value?.sealedAt ?? now)
  if (signature === null) throw new Error('a step of the line without a signature')
  await insertSignature(tx, before.serviceId, 1, signature)
  const changed: RunCopy = { ...before, status: decided.changed.status, rev: before.rev + 1, updatedAt: now }
  const after = seal.value === null ? changed : await sealed(context, tx, changed, seal.value, seal.value)
  const event = statusEvent(named(run, after), { action: decided.action, signature, note: null })
  const next = nextInLine(copies, before)
  const changes: Change[] = [
    {
      before,
      after,
      connection: connectionOf(run, before),
      signatures: [signature],
      file: fileFor(after, seal.value),
      event,
    },
    ...(seal.value === null ? [] : await sealOthers(context, tx, acting, seal.value, recorded)),
    ...(next === null ? [] : [openNext(run, next, now)]),
  ]
  const events = await recordChanges(context, tx, changes)
  const more = await context.runs.moveLine(tx, name, next)
  await appendEvents(context, tx, [...events, ...more])
  return accept({ document: after, signatures: [signature] })
}

function openNext(run: LockedRun, before: RunCopy, now: Instant): Change {
  const after = opened(before, now)
  const event = statusEvent(named(run, after), { action: null, signature: null, note: null })
  return { before, after, connection: connectionOf(run, after), signatures: [], event }
}

/** The other participants get the same sealed PDF, each encrypted to its own key. */
async function sealOthers(
  context: ServiceSideContext,
  tx: Tx,
  { run, copies, before: acted, now }: Acting,
  seal: PreparedSeal,
  recorded: readonly Signature[],
): Promise<readonly Change[]> {
  const changes: Change[] = []
  for (const before of copies) {
    if (before.id === acted.id || before.outputKey !== acted.outputKey) continue
    const copy = seal.copies.find(({ documentId }) => documentId === before.id)
    if (copy === undefined) throw new Error(`no sealed copy for document ${before.id}`)
    await keepObject(tx, copy.objectKey)
    const after = await sealed(context, tx, { ...before, rev: before.rev + 1, updatedAt: now }, seal, copy)
    changes.push({
      before,
      after,
      connection: connectionOf(run, before),
      signatures: recorded.filter(({ documentId }) => documentId === before.id),
      file: fileFor(after, copy),
      event: documentEvent('document_updated', named(run, after)),
    })
  }
  return changes
}

/** The signed digest stays with the signatures; the document has that of the sealed file. */
async function sealed(
  { clock }: ServiceSideContext,
  tx: Tx,
  document: RunCopy,
  { plainSha256, sealedAt }: PreparedSeal,
  { contentSha256, objectKey, sha256, bytes }: Omit<SealedCopy, 'documentId'>,
): Promise<RunCopy> {
  const { answerFile, contentRev, recipient } = document
  if (answerFile !== null) await discardObjects(tx, [answerFile.objectKey], clock.now())
  return {
    ...document,
    contentSha256,
    plainSha256,
    sealedAt,
    contentRev: contentRev + 1,
    // The company's copy rests here, in its row.
    answerFile: recipient === 'owner' ? { objectKey, sha256, bytes } : null,
  }
}

function fileFor({ recipient }: RunCopy, file: Omit<SealedCopy, 'documentId' | 'contentSha256'> | null) {
  if (recipient === 'owner' || file === null) return null
  const { objectKey, sha256, bytes } = file
  return { objectKey, sha256, bytes }
}
