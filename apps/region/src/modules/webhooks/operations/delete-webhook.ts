import type { Tx } from '@sealpost/postgres'
import { deleteRecoveryCopies } from '../../account/index.ts'
import { deleteQueue, type WebhookName } from '../../feed/index.ts'
import type { ServiceName } from '../../services/index.ts'
import type { WebhooksContext } from '../context.ts'
import type { Actor } from '../model.ts'
import { changeRoster, deleteEndpoint, deleteEndpointsOf, listEndpoints, lockRoster } from '../store/endpoints.ts'
import { lockWebhook } from './change-webhook.ts'
import { recordCommand } from './record-command.ts'

/** Deletes the webhook with its backlog. Its log of deliveries becomes unreachable and is swept with its day. */
export async function deleteWebhook(webhooks: WebhooksContext, actor: Actor, name: WebhookName): Promise<void> {
  await webhooks.database.transaction(async (tx) => {
    await lockWebhook(webhooks, tx, name)
    await deleteQueue(tx, name)
    await deleteEndpoint(tx, name)
    await changeRoster(tx, name, -1)
    await deleteRecoveryCopies(tx, name.companyId, name.webhookId)
    await recordCommand(webhooks, tx, actor, 'webhooks.delete', name)
  })
}

/** In the transaction that deletes the service. */
export async function deleteWebhooksOf(tx: Tx, service: ServiceName): Promise<void> {
  const count = await lockRoster(tx, service)
  const rows = await listEndpoints(tx, service, { after: null, offset: 0, limit: count })
  for (const { webhookId } of rows) {
    await deleteQueue(tx, { ...service, webhookId })
    await deleteRecoveryCopies(tx, service.companyId, webhookId)
  }
  await deleteEndpointsOf(tx, service)
}
