import { instant, type Instant } from '@sealpost/kernel'
import type { StaleOutlet } from '../../feed/index.ts'
import type { LogEntry } from '../../services/index.ts'

const KEPT_MS = 7 * 86_400_000

export type StaleCause = 'failing' | 'probing' | 'paused' | 'disabled' | 'suspended' | 'waiting' | 'over'

/** Why events wait; what somebody has set goes before what the endpoint does. */
export function causeOf(
  { alert, flow, state }: Pick<StaleOutlet, 'alert' | 'flow' | 'state'>,
  isEnabled: boolean,
): StaleCause {
  if (flow === 'paused') return 'paused'
  if (flow === 'disabled') return isEnabled ? 'suspended' : 'disabled'
  if (state === 'bad') return 'failing'
  if (state === 'unknown') return 'probing'
  return alert === 'purged' ? 'over' : 'waiting'
}

/** When the first of what waits is removed; null when nothing waits. */
export function lossOf(oldestAt: Instant | null): Instant | null {
  return oldestAt === null ? null : instant(oldestAt + KEPT_MS)
}

/** Whoever reads the log of a service finds what was mailed, and what was lost. */
export function logEntryOf(outlet: StaleOutlet, cause: StaleCause, oldestAt: string | null): LogEntry {
  const { name, alert, backlogCount, purgedCount } = outlet
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

/** The host of a URL: the rest may carry what only the receiver should see. */
export function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : 'an address that cannot be read'
}
