import type { StaleQueue } from '../../../feed/index.ts'
import type { LogEntry } from '../../../services/index.ts'

export type StaleCause = 'failing' | 'probing' | 'paused' | 'disabled' | 'suspended' | 'waiting' | 'over'

/** Why events wait; a switch set by a person comes before the state of the endpoint. */
export function causeOf(
  { alert, flow, state }: Pick<StaleQueue, 'alert' | 'flow' | 'state'>,
  isEnabled: boolean,
): StaleCause {
  if (flow === 'paused') return 'paused'
  if (flow === 'disabled') return isEnabled ? 'suspended' : 'disabled'
  if (state === 'bad') return 'failing'
  if (state === 'unknown') return 'probing'
  return alert === 'purged' ? 'over' : 'waiting'
}

/** The entry of the service's log for the mail that was sent. */
export function logEntryOf(queue: StaleQueue, cause: StaleCause, oldestAt: string | null): LogEntry {
  const { name, alert, backlogCount, purgedCount } = queue
  const metadata = {
    webhook_id: name.webhookId,
    cause,
    backlog_count: backlogCount,
    backlog_oldest_at: oldestAt,
    ...(purgedCount === 0 ? {} : { purged_count: purgedCount }),
  }
  if (alert === 'purged') {
    return { type: 'purge', message: 'Events of a webhook were older than 7 days and are lost', metadata }
  }
  return { type: 'email', message: 'Events wait for a webhook: the administrator was told', metadata }
}

/** The host of a URL: its other parts may contain secrets of the receiver. */
export function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : 'an address that cannot be read'
}
