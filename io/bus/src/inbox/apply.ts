import { instant } from '@sealpost/kernel'
import type { Tx } from '@sealpost/postgres'
import type { Attachment } from '../contracts.ts'
import type { BusNeeds } from '../needs.ts'
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
import { judgeTell, retryDelayMs, type Verdict } from './rules.ts'

/** What became of one tell: the word for its sender, or null when it is owed none. */
export interface Applied {
  readonly outcome: 'applied' | 'duplicate' | 'gap' | 'failing' | 'ignored'
  readonly notice: Notice | null
}

/**
 * Applies tells of one lane, in their order, each only if it is the next. The handlers' writes and the cursor commit
 * together or not at all. Several share a transaction until one of them fails; then each gets its own.
 */
export async function applyTells(
  needs: BusNeeds,
  handlers: TellHandlers,
  source: Party,
  tells: readonly CarriedTell[],
): Promise<readonly Applied[]> {
  const [first] = tells
  if (first !== undefined && tells.length > 1 && tells.every((tell) => tell.attachment === null)) {
    const coming = tells.map((tell) => ({ name: laneOf(source, first), tell, attachment: null }))
    const applied = await applyTogether(needs, handlers, coming).catch(() => null)
    if (applied !== null) return applied
  }
  const outcomes: Applied[] = []
  for (const tell of tells) outcomes.push(await applyAlone(needs, handlers, source, tell))
  return outcomes
}

async function applyAlone(needs: BusNeeds, handlers: TellHandlers, source: Party, tell: CarriedTell): Promise<Applied> {
  const name = laneOf(source, tell)
  let attachment: Attachment | null = null
  try {
    if (tell.attachment !== null && (await isNext(needs, name, tell)))
      attachment = await copyAttachment(needs, tell.attachment)
    const [applied] = await applyTogether(needs, handlers, [{ name, tell, attachment }])
    if (applied?.outcome !== 'applied') await dropCopy(needs, attachment)
    return applied ?? { outcome: 'ignored', notice: null }
  } catch (error) {
    return fail(needs, { name, tell, attachment }, error)
  }
}

interface Coming {
  readonly name: LaneName
  readonly tell: CarriedTell
  readonly attachment: Attachment | null
}

async function applyTogether(
  needs: BusNeeds,
  handlers: TellHandlers,
  coming: readonly Coming[],
): Promise<readonly Applied[]> {
  const judged = await needs.database.transaction((tx) => judgeAndApply(tx, needs, handlers, coming))
  for (const { verdict, source } of judged)
    if (verdict.act === 'hold link')
      await hold(needs, source, source, `${source} went on from an older copy: ${verdict.reason}`)
  return judged.map(({ tell, lane, verdict }) => report(tell, lane, verdict))
}

interface JudgedTell {
  readonly source: Party
  readonly tell: CarriedTell
  /** As it was before this tell. */
  readonly lane: InboxLane
  readonly verdict: Verdict
}

async function judgeAndApply(
  tx: Tx,
  needs: BusNeeds,
  handlers: TellHandlers,
  coming: readonly Coming[],
): Promise<readonly JudgedTell[]> {
  const judged: JudgedTell[] = []
  const [first] = coming
  if (first === undefined) return judged
  const now = needs.clock.now()
  const locked = await lockInboxLane(tx, first.name)
  let lane = locked
  for (const { name, tell, attachment } of coming) {
    const verdict = judgeTell(lane, tell, now)
    judged.push({ source: name.source, tell, lane, verdict })
    if (verdict.act !== 'apply') continue
    await deliver(tx, needs, handlers, { name, tell, attachment })
    lane = { ...lane, appliedSeq: tell.seq, appliedId: tell.id, retryAt: null }
  }
  if (lane.appliedSeq > locked.appliedSeq)
    await moveCursor(tx, first.name, { seq: lane.appliedSeq, id: lane.appliedId }, now)
  return judged
}

async function deliver(
  tx: Tx,
  needs: BusNeeds,
  handlers: TellHandlers,
  { name, tell, attachment }: Coming,
): Promise<void> {
  if (attachment !== null) await needs.attachments?.keep(tx, attachment.objectKey)
  const message = { from: name.source, key: tell.key, id: tell.id, body: tell.body, attachment }
  const attributes = { 'bus.kind': tell.kind, 'region.peer': name.source }
  const run = (): Promise<void> => deliverTell(handlers, tell.kind, tx, tell.version, message)
  await needs.telemetry.trace('bus tell', attributes, run, tell.traceparent)
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
  switch (verdict.act) {
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

/** Keeps the failure where an operator finds it. The lane's head stays the head: nothing of it is ever skipped. */
async function fail(needs: BusNeeds, { name, tell, attachment }: Coming, error: unknown): Promise<Applied> {
  const now = needs.clock.now()
  const text = describeFailure(error)
  const lane = await needs.database.transaction(async (tx) => {
    const found = await lockInboxLane(tx, name)
    const retryAt = instant(now + retryDelayMs(found.failingAttempts))
    if (found.appliedSeq < tell.seq) await recordFailure(tx, name, { kind: tell.kind, error: text, now, retryAt })
    return found
  })
  // The connection broke after the commit: it was applied, and its copy is in use.
  if (lane.appliedSeq >= tell.seq) return report(tell, lane, { act: 'repeat confirmation' })
  await dropCopy(needs, attachment)
  const attempts = lane.failingAttempts + 1
  const fields = { source: name.source, kind: tell.kind, seq: tell.seq, attempts, error: text }
  needs.telemetry.log.error(
    fields,
    'a tell cannot be applied; its lane waits until it can; doctor.ts of the region shows it',
  )
  return report(tell, lane, { act: 'wait', retryAfterMs: retryDelayMs(lane.failingAttempts) })
}

/** Never the error's detail or cause: they may quote the row that was being written. */
function describeFailure(error: unknown): string {
  return error instanceof Error
    ? `${error.name}: ${error.message}`.slice(0, 300)
    : 'something that is not an Error was thrown'
}

async function isNext(needs: BusNeeds, name: LaneName, tell: CarriedTell): Promise<boolean> {
  const lane = await needs.database.read((read) => readInboxLane(read, name))
  return lane === null ? tell.seq === 1 : judgeTell(lane, tell, needs.clock.now()).act === 'apply'
}

async function copyAttachment(
  needs: BusNeeds,
  { url, sha256, bytes }: NonNullable<CarriedTell['attachment']>,
): Promise<Attachment> {
  if (needs.attachments === null) throw new Error('a tell has an attachment, but openBus was given no object store')
  const objectKey = await needs.attachments.copyIn(url, sha256)
  return { objectKey, sha256, bytes }
}

async function dropCopy(needs: BusNeeds, attachment: Attachment | null): Promise<void> {
  if (attachment === null) return
  await needs.attachments?.remove(attachment.objectKey).catch((error: unknown) => {
    needs.telemetry.log.warn(
      { error: String(error) },
      'the copy of an attachment was not used and could not be removed',
    )
  })
}
