import type { Tx } from '@sealpost/postgres'
import type { LockedRun, RunCopy, RunHooks } from '../../../documents/index.ts'
import type { NewEvent } from '../../../feed/index.ts'
import type { ServiceSideContext } from '../../service-side/context.ts'
import type { RunName, StoredRun } from '../../service-side/model.ts'
import { recordCancel } from '../../service-side/operations/cancel-run.ts'
import { lockForAct } from '../../service-side/operations/lock-run.ts'
import { recordRun } from '../../service-side/operations/record-run.ts'
import { turnEvent } from '../../service-side/rules/events.ts'
import { isClosed, primaryRecipient } from '../../service-side/rules/status.ts'
import { findRun } from '../../service-side/store/runs.ts'

/** Hook of documents, before a copy of a run changes. */
export async function lockRunOfCopy(tx: Tx, { serviceId, runId }: CopyRun): Promise<LockedRun | null> {
  const locked = await lockForAct(tx, { serviceId, id: runId }, null)
  if (locked === null) return null
  const { run, connections } = locked
  return { isOpen: !isClosed(run), connections, primary: primaryRecipient(run) }
}

type CopyRun = Parameters<RunHooks['lock']>[1]

/** Hook of documents: a step of the line is done. The last one completes the run. */
export async function moveLine(
  context: ServiceSideContext,
  tx: Tx,
  name: CopyRun,
  opened: RunCopy | null,
): Promise<readonly NewEvent[]> {
  const before = await lockedRun(tx, name)
  const status = opened === null ? 'completed' : 'awaiting_signature'
  const after: StoredRun = { ...before, status, rev: before.rev + 1, updatedAt: context.clock.now() }
  const events = await recordRun(context, tx, { before, after })
  return opened === null ? events : [turnEvent(after, opened.partyKey), ...events]
}

/** Hook of documents: a copy was declined, cancelled or ended. */
export async function cancelByCopy(
  context: ServiceSideContext,
  tx: Tx,
  name: CopyRun,
  { by, reason }: Parameters<RunHooks['cancel']>[2],
): Promise<readonly NewEvent[]> {
  const run = await lockedRun(tx, name)
  const owner = run.parties.find(({ customer }) => customer === null)?.partyKey ?? 'system'
  return (await recordCancel(context, tx, run, { by: by ?? owner, reason })).events
}

/** The caller has locked it. */
async function lockedRun(tx: Tx, { serviceId, runId }: CopyRun): Promise<StoredRun> {
  const name: RunName = { serviceId, id: runId }
  const run = await findRun(tx, name)
  if (run === null) throw new Error(`run ${runId} is gone`)
  return run
}
