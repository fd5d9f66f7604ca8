import type { Tx } from '@sealpost/postgres'
import type { NewEvent } from '../../../feed/index.ts'
import type { LockedRun, ServiceSideContext } from '../context.ts'
import type { StoredDocument } from '../model.ts'

interface Ending {
  readonly before: StoredDocument
  readonly after: StoredDocument
  /** Null for a document of no run. */
  readonly run: LockedRun | null
}

/** A copy that ends, now or on a later day, cancels its run, if that is still open. Answers the events. */
export async function cancelRunOf(
  { runs }: Pick<ServiceSideContext, 'runs'>,
  tx: Tx,
  { before, after, run }: Ending,
): Promise<readonly NewEvent[]> {
  const { serviceId, runId, status, cancelEffectiveDate: date } = after
  const isSame = status === before.status && date === before.cancelEffectiveDate
  const isEnding = status === 'active_but_ending' || status === 'ended'
  if (runId === null || run?.isOpen !== true || isSame || !isEnding) return []
  return runs.cancel(tx, { serviceId, runId }, { by: null, reason: 'document_ended' })
}
