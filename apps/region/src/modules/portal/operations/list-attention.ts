import { formatInstant, type Instant, type ServiceId } from '@sealpost/kernel'
import type { Read } from '@sealpost/postgres'
import type { AttentionKind } from '@sealpost/protocol'
import type { Caller } from '../../../platform/caller.ts'
import { listOwnSignatures } from '../../documents/index.ts'
import { listOldBacklogs, listQuarantinedOf, listStoppedQueues } from '../../feed/index.ts'
import { listUnreadThreads } from '../../messages/index.ts'
import { listRunsOfOwner } from '../../runs/index.ts'
import { listServiceIds } from '../../services/index.ts'
import type { PortalContext } from '../context.ts'

interface Found {
  readonly kind: AttentionKind
  readonly serviceId: ServiceId
  /** What it is about: a webhook, run, document, connection or event; null for the service itself. */
  readonly ref: string | null
  readonly since: Instant
}

/** Of each kind; the oldest. */
const MOST = 50

/** The services of a delegate, all of them for the owner. Oldest first. */
export async function listAttention(
  { database, clock }: PortalContext,
  { accountId, services: only }: Pick<Caller, 'accountId' | 'services'>,
) {
  const now = clock.now()
  const found = await database.read(async (read) => {
    const services = await listServiceIds(read, accountId, only)
    return findAll(read, services, { isOwner: only === null, now })
  })
  const items = found
    .toSorted((one, other) => one.since - other.since)
    .map(({ kind, serviceId, ref, since }) => ({ kind, service_id: serviceId, ref, since: formatInstant(since) }))
  return { items }
}

async function findAll(
  read: Read,
  services: readonly ServiceId[],
  { isOwner, now }: { readonly isOwner: boolean; readonly now: Instant },
): Promise<readonly Found[]> {
  if (services.length === 0) return []
  const stopped = await listStoppedQueues(read, services, MOST)
  const old = await listOldBacklogs(read, services, now, MOST)
  const runs = await listRunsOfOwner(read, services, MOST)
  const signatures = await listOwnSignatures(read, services, MOST)
  const threads = await listUnreadThreads(read, services, MOST)
  const quarantined = isOwner ? await listQuarantinedOf(read, services, MOST) : []
  const isStopped = new Set<string | null>(stopped.map(({ webhookId }) => webhookId))
  return [
    ...stopped.map(({ isPaused, webhookId: ref, ...rest }) => ({
      ...rest,
      kind: isPaused ? ('webhook_paused' as const) : ('webhook_parked' as const),
      ref,
    })),
    // What waits for a webhook that is known to be stopped needs no second item.
    ...old
      .filter(({ webhookId }) => webhookId === null || !isStopped.has(webhookId))
      .map(({ webhookId: ref, ...rest }) => ({ ...rest, kind: 'backlog_old' as const, ref })),
    ...runs.map(({ id: ref, ...rest }) => ({ ...rest, kind: 'run_awaits' as const, ref })),
    ...signatures.map(({ id: ref, ...rest }) => ({ ...rest, kind: 'signature_awaits' as const, ref })),
    ...threads.map(({ connectionId: ref, ...rest }) => ({ ...rest, kind: 'messages_unread' as const, ref })),
    ...quarantined.map(({ id: ref, ...rest }) => ({ ...rest, kind: 'event_quarantined' as const, ref })),
  ]
}
