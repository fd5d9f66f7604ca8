import { accept, decline, type Result } from '@sealpost/kernel'
import type { Tx } from '@sealpost/postgres'
import type { TurnRefusal } from '@sealpost/protocol'
import { findConnection, type StoredConnection } from '../../../connections/index.ts'
import { endRunCopies } from '../../../documents/index.ts'
import { appendEvents, type NewEvent } from '../../../feed/index.ts'
import type { ServiceSideContext } from '../context.ts'
import type { Actor, RunName, StoredRun } from '../model.ts'
import { hasErasedCustomer, isClosed, primaryRecipient } from '../rules/status.ts'
import { lockForAct } from './lock-run.ts'
import { customersOf, recordRun } from './record-run.ts'

export async function cancelRun(
  context: ServiceSideContext,
  tx: Tx,
  name: RunName | StoredRun,
  actor: Actor,
  reason: string | null,
): Promise<Result<StoredRun, TurnRefusal>> {
  const locked = await lockForAct(tx, name, actor)
  if (locked === null) return decline('flows.run_not_found')
  if (hasErasedCustomer(locked.run)) return decline('account.counterparty_deleted')
  if (isClosed(locked.run)) return decline('flows.run_closed')
  const party = locked.run.parties.find(({ userId }) => userId === actor.userId)
  const { after, events } = await recordCancel(context, tx, locked.run, {
    by: party?.partyKey ?? 'system',
    reason,
  })
  await appendEvents(context, tx, events)
  return accept(after)
}

/** Requires the lock of an open run. The caller appends the events. */
export async function recordCancel(
  context: ServiceSideContext,
  tx: Tx,
  before: StoredRun,
  { by, reason }: { readonly by: string; readonly reason: string | null },
): Promise<{ readonly after: StoredRun; readonly events: readonly NewEvent[] }> {
  const at = context.clock.now()
  const after: StoredRun = {
    ...before,
    status: 'cancelled',
    cancelledAt: at,
    cancelledBy: by,
    cancelReason: reason,
    rev: before.rev + 1,
    updatedAt: at,
  }
  const ended = await endCopies(context, tx, after)
  return { after, events: [...ended, ...(await recordRun(context, tx, { before, after }))] }
}

/** The copies that wait, or could still be signed or accepted. */
async function endCopies({ documents }: ServiceSideContext, tx: Tx, run: StoredRun): Promise<readonly NewEvent[]> {
  if (run.outputMode !== 'document') return []
  const { serviceId, id: runId } = run
  const connections: StoredConnection[] = []
  for (const { customer } of customersOf(run)) {
    const connection = await findConnection(tx, serviceId, customer.connectionId)
    if (connection !== null) connections.push(connection)
  }
  return endRunCopies(documents.service, tx, { serviceId, runId }, { connections, primary: primaryRecipient(run) })
}
