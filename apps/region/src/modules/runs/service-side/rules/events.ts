import type { NewEvent } from '../../../feed/index.ts'
import type { StoredRun } from '../model.ts'
import { awaitedParty, primaryOf } from './status.ts'

/** The event of a change of state; null where the same party goes on. Neither slugs nor values are part of it. */
export function runEvent(before: StoredRun | null, after: StoredRun): NewEvent | null {
  if (before?.status === after.status) return null
  if (after.status === 'completed') return eventOf('flow_completed', after, {})
  if (after.status === 'cancelled')
    return eventOf('flow_cancelled', after, { cancelled_by: after.cancelledBy ?? 'system' })
  const party = awaitedParty(after)
  return party === null ? null : turnEvent(after, party.partyKey)
}

/** Also for a party whose step of the signing line opens. */
export function turnEvent(run: StoredRun, partyKey: string): NewEvent {
  return eventOf('flow_run_turn', run, { awaiting_party: partyKey })
}

function eventOf(
  kind: 'flow_run_turn' | 'flow_completed' | 'flow_cancelled',
  run: StoredRun,
  members: Readonly<Record<string, string>>,
): NewEvent {
  const { userId, customer } = primaryOf(run)
  return {
    owner: { kind: 'service', companyId: run.companyId, serviceId: run.serviceId },
    kind,
    connectionId: customer.connectionId,
    payload: { person_user_id: userId, share_code: customer.shareCode, flow_run_id: run.id, ...members },
    key: null,
  }
}
