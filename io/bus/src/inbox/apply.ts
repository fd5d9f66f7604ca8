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

/** Applies a tell if it is the next of its lane: the handler's writes and the cursor commit together or not at all. */
export async function applyTell(
  needs: BusNeeds,
  handlers: TellHandlers,
  source: Party,
  tell: CarriedTell,
): Promise<Applied> {
  const name: LaneName = { source, key: tell.key, incarnation: tell.incarnation }
  let attachment: Attachment | null = null
  try {
    if (tell.attachment !== null && (await isNext(needs, name, tell)))
      attachment = await copyAttachment(needs, tell.attachment)
    const [lane, verdict] = await needs.database.transaction((tx) =>
      judgeAndApply(tx, needs, handlers, { name, tell, attachment }),
    )
    if (verdict.act !== 'apply') await dropCopy(needs, attachment)
    if (verdict.act === 'hold link') await hold(needs, source, source, `${source} ran on: ${verdict.reason}`)
    return report(tell, lane, verdict)
  } catch (error) {
    return fail(needs, { name, tell, attachment }, error)
  }
}

interface Coming {
  readonly name: LaneName
  readonly tell: CarriedTell
  readonly attachment: Attachment | null
}

async function judgeAndApply(
  tx: Tx,
  needs: BusNeeds,
  handlers: TellHandlers,
  { name, tell, attachment }: Coming,
): Promise<[InboxLane, Verdict]> {
  const lane = await lockInboxLane(tx, name)
  const now = needs.clock.now()
  const verdict = judgeTell(lane, tell, now)
  if (verdict.act === 'apply') {
    const message = { from: name.source, key: tell.key, id: tell.id, body: tell.body, attachment }
    await deliverTell(handlers, tell.kind, tx, tell.version, message)
    await moveCursor(tx, name, { seq: tell.seq, id: tell.id }, now)
  }
  return [lane, verdict]
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
  needs.telemetry.log.error(fields, 'a tell cannot be applied; its lane waits, see doctor')
  return report(tell, lane, { act: 'wait', retryAfterMs: retryDelayMs(lane.failingAttempts) })
}

/** Never the error's detail or cause: they may quote the row that was being written. */
function describeFailure(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}`.slice(0, 300) : 'something that is not an Error was thrown'
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
    needs.telemetry.log.warn({ error: String(error) }, 'the copy of an attachment was not used and could not be removed')
  })
}
