import { instant } from '@sealpost/kernel'
import type { Tx } from '@sealpost/postgres'
import type { BusContext } from '../context.ts'
import type { Attachment } from '../contracts.ts'
import { readLinked } from '../large-bodies.ts'
import type { Party } from '../parties.ts'
import { hold } from '../session/meet.ts'
import {
  type InboxLane,
  type LaneName,
  lockInboxLane,
  moveCursor,
  readInboxLane,
  recordFailure,
} from '../store/inbox.ts'
import type { CarriedTell, Notice } from '../wire.ts'
import { deliverTell, type TellHandlers } from './handlers.ts'
import { decideTell, retryDelayMs, type Verdict } from './rules.ts'

/** The result of one tell: the notice for its sender, or null when none is due. */
export interface Applied {
  readonly outcome: 'applied' | 'duplicate' | 'gap' | 'failing' | 'ignored'
  readonly notice: Notice | null
}

/**
 * Applies tells of one lane, in their order, each only if it is the next. The handlers' writes and the cursor commit
 * together or not at all. Several share a transaction until one of them fails; then each gets its own.
 */
export async function applyTells(
  context: BusContext,
  handlers: TellHandlers,
  source: Party,
  tells: readonly CarriedTell[],
): Promise<readonly Applied[]> {
  const [first] = tells
  if (first !== undefined && tells.length > 1 && tells.every(isWhole)) {
    const coming = tells.map((tell) => ({ name: laneOf(source, first), tell, attachment: null }))
    const applied = await applyTogether(context, handlers, coming).catch(() => null)
    if (applied !== null) return applied
  }
  const outcomes: Applied[] = []
  for (const tell of tells) outcomes.push(await applyAlone(context, handlers, source, tell))
  return outcomes
}

function isWhole({ attachment, largeBody }: CarriedTell): boolean {
  return attachment === null && largeBody === undefined
}

async function applyAlone(
  context: BusContext,
  handlers: TellHandlers,
  source: Party,
  tell: CarriedTell,
): Promise<Applied> {
  const name = laneOf(source, tell)
  let attachment: Attachment | null = null
  try {
    const isFetched = !isWhole(tell) && (await isNext(context, name, tell))
    const body = isFetched && tell.largeBody !== undefined ? await readLinked(context, tell.largeBody) : tell.body
    if (isFetched && tell.attachment !== null) attachment = await copyAttachment(context, tell.attachment)
    const [applied] = await applyTogether(context, handlers, [{ name, tell: { ...tell, body }, attachment }])
    if (applied?.outcome !== 'applied') await deleteCopy(context, attachment)
    return applied ?? { outcome: 'ignored', notice: null }
  } catch (error) {
    return fail(context, { name, tell, attachment }, error)
  }
}

interface Coming {
  readonly name: LaneName
  readonly tell: CarriedTell
  readonly attachment: Attachment | null
}

async function applyTogether(
  context: BusContext,
  handlers: TellHandlers,
  coming: readonly Coming[],
): Promise<readonly Applied[]> {
  const decided = await context.database.transaction((tx) => decideAndApply(tx, context, handlers, coming))
  for (const { verdict, source } of decided)
    if (verdict.action === 'hold link')
      await hold(context, source, source, `${source} continues from an older copy: ${verdict.reason}`)
  return decided.map(({ tell, lane, verdict }) => report(tell, lane, verdict))
}

interface DecidedTell {
  readonly source: Party
  readonly tell: CarriedTell
  /** The state before this tell. */
  readonly lane: InboxLane
  readonly verdict: Verdict
}

async function decideAndApply(
  tx: Tx,
  context: BusContext,
  handlers: TellHandlers,
  coming: readonly Coming[],
): Promise<readonly DecidedTell[]> {
  const decided: DecidedTell[] = []
  const [first] = coming
  if (first === undefined) return decided
  const now = context.clock.now()
  const locked = await lockInboxLane(tx, first.name)
  let lane = locked
  for (const { name, tell, attachment } of coming) {
    const verdict = decideTell(lane, tell, now)
    decided.push({ source: name.source, tell, lane, verdict })
    if (verdict.action !== 'apply') continue
    await deliver(tx, context, handlers, { name, tell, attachment })
    lane = { ...lane, appliedSeq: tell.seq, appliedId: tell.id, retryAt: null }
  }
  if (lane.appliedSeq > locked.appliedSeq)
    await moveCursor(tx, first.name, { seq: lane.appliedSeq, id: lane.appliedId }, now)
  return decided
}

async function deliver(
  tx: Tx,
  context: BusContext,
  handlers: TellHandlers,
  { name, tell, attachment }: Coming,
): Promise<void> {
  if (attachment !== null) await context.attachments?.keep(tx, attachment.objectKey)
  const message = { from: name.source, key: tell.key, id: tell.id, body: tell.body, attachment }
  const attributes = { 'bus.kind': tell.kind, 'region.peer': name.source }
  const run = (): Promise<void> => deliverTell(handlers, tell.kind, tx, tell.version, message)
  await context.telemetry.trace('bus tell', attributes, run, tell.traceparent)
}

function laneOf(source: Party, { key, incarnation }: CarriedTell): LaneName {
  return { source, key, incarnation }
}

function report(tell: CarriedTell, lane: InboxLane, verdict: Verdict): Applied {
  const notice = {
    key: tell.key,
    incarnation: tell.incarnation,
    attempt: tell.attempt,
    appliedSeq: lane.appliedSeq,
    appliedId: lane.appliedId,
  }
  switch (verdict.action) {
    case 'apply':
      return {
        outcome: 'applied',
        notice: { ...notice, appliedSeq: tell.seq, appliedId: tell.id, outcome: 'applied' },
      }
    case 'repeat confirmation':
      return { outcome: 'duplicate', notice: { ...notice, outcome: 'applied' } }
    case 'ask for resend':
      return { outcome: 'gap', notice: { ...notice, outcome: 'gap' } }
    case 'wait':
      return { outcome: 'failing', notice: { ...notice, outcome: 'failing', retryAfterMs: verdict.retryAfterMs } }
    case 'ignore':
    case 'hold link':
      return { outcome: 'ignored', notice: null }
  }
}

/** Records the failure for the operator. The lane's head stays the head: it is never skipped. */
async function fail(context: BusContext, { name, tell, attachment }: Coming, error: unknown): Promise<Applied> {
  const now = context.clock.now()
  const text = describeFailure(error)
  const lane = await context.database.transaction(async (tx) => {
    const found = await lockInboxLane(tx, name)
    const retryAt = instant(now + retryDelayMs(found.failingAttempts))
    if (found.appliedSeq < tell.seq) await recordFailure(tx, name, { kind: tell.kind, error: text, now, retryAt })
    return found
  })
  // The connection broke after the commit: the tell was applied, and its copy is in use.
  if (lane.appliedSeq >= tell.seq) return report(tell, lane, { action: 'repeat confirmation' })
  await deleteCopy(context, attachment)
  const attempts = lane.failingAttempts + 1
  const fields = { source: name.source, kind: tell.kind, seq: tell.seq, attempts, error: text }
  context.telemetry.log.error(
    fields,
    'a tell cannot be applied; its lane waits; run the doctor command of the region for details',
  )
  return report(tell, lane, { action: 'wait', retryAfterMs: retryDelayMs(lane.failingAttempts) })
}

/** Never the error's detail or cause: they may quote the row that was being written. */
function describeFailure(error: unknown): string {
  return error instanceof Error
    ? `${error.name}: ${error.message}`.slice(0, 300)
    : 'something that is not an Error was thrown'
}

async function isNext(context: BusContext, name: LaneName, tell: CarriedTell): Promise<boolean> {
  const lane = await context.database.read((read) => readInboxLane(read, name))
  return lane === null ? tell.seq === 1 : decideTell(lane, tell, context.clock.now()).action === 'apply'
}

async function copyAttachment(
  context: BusContext,
  { url, sha256, bytes }: NonNullable<CarriedTell['attachment']>,
): Promise<Attachment> {
  if (context.attachments === null) throw new Error('a tell has an attachment, but openBus was given no object store')
  const objectKey = await context.attachments.copyIn(url, sha256)
  return { objectKey, sha256, bytes }
}

async function deleteCopy(context: BusContext, attachment: Attachment | null): Promise<void> {
  if (attachment === null) return
  await context.attachments?.remove(attachment.objectKey).catch((error: unknown) => {
    context.telemetry.log.warn(
      { error: String(error) },
      'the copy of an attachment was not used and could not be removed',
    )
  })
}
