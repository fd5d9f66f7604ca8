import type { UserId, WebhookId } from '@sealpost/kernel'
import type { Tx } from '@sealpost/postgres'
import type { Level } from '@sealpost/protocol'
import { dropRecoveryCopies } from '../account/index.ts'
import { dropOutlet, type OutletName, resumeOutletsOf, suspendOutletsOf } from '../feed/index.ts'
import type { ServiceName } from '../services/index.ts'
import { lockWebhook } from './change.ts'
import { recordTransitions } from './health.ts'
import type { WebhooksNeeds } from './needs.ts'
import { type Actor, recordAct } from './recording.ts'
import { changeRoster, deleteEndpoint, deleteEndpointsOf, listEndpoints, lockRoster } from './store/endpoints.ts'

/** With its backlog. What was sent to it is reached by nobody any more and goes with its day. */
export async function deleteWebhook(needs: WebhooksNeeds, actor: Actor, name: OutletName): Promise<void> {
  await needs.database.transaction(async (tx) => {
    await lockWebhook(tx, needs, name)
    await dropOutlet(tx, name)
    await deleteEndpoint(tx, name)
    await changeRoster(tx, name, -1)
    await dropRecoveryCopies(tx, name.companyId, name.webhookId)
    await recordAct(tx, needs, actor, 'webhooks.delete', name)
  })
}

/** With the service, in the transaction in which it ends. */
export async function dropWebhooksOf(tx: Tx, service: ServiceName): Promise<void> {
  const count = await lockRoster(tx, service)
  const rows = await listEndpoints(tx, service, { after: null, offset: 0, limit: count })
  for (const { webhookId } of rows) await dropOne(tx, service, webhookId)
  await deleteEndpointsOf(tx, service)
}

async function dropOne(tx: Tx, service: ServiceName, webhookId: WebhookId): Promise<void> {
  await dropOutlet(tx, { ...service, webhookId })
  await dropRecoveryCopies(tx, service.companyId, webhookId)
}

/** On the level free webhooks behave as if they were disabled; what the company set stays. */
export async function applyLevel(
  tx: Tx,
  needs: Pick<WebhooksNeeds, 'clock' | 'ids'>,
  companyId: UserId,
  level: Level,
): Promise<void> {
  if (level === 'free') {
    await suspendOutletsOf(tx, needs, companyId)
    return
  }
  const changed = await resumeOutletsOf(tx, needs, companyId)
  const at = needs.clock.now()
  const transitions = changed.flatMap(({ name, transition }) =>
    transition === null ? [] : [{ name, ...transition, at, lastError: null }],
  )
  await recordTransitions(tx, needs, transitions)
}
