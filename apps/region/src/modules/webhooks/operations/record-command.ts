import type { Tx } from '@sealpost/postgres'
import { recordAudit } from '../../account/index.ts'
import type { WebhookName } from '../../feed/index.ts'
import { logService } from '../../services/index.ts'
import type { WebhooksContext } from '../context.ts'
import type { Actor } from '../model.ts'

const MESSAGES = {
  'webhooks.create': 'A webhook was made',
  'webhooks.change': 'The configuration of a webhook was changed',
  'webhooks.delete': 'A webhook was deleted with its backlog',
  'webhooks.regenerate_hmac_secret': 'A webhook has a new signing secret',
  'webhooks.pause': 'A webhook was paused: its events are queued and not sent',
  'webhooks.resume': 'A paused webhook is sent to again',
  'webhooks.probe': 'A probe of a webhook was asked for',
  'webhooks.test': 'A test event was sent to a webhook',
  'webhooks.replay': 'A replay to a webhook was asked for',
} as const
export type WebhookCommand = keyof typeof MESSAGES

/** Writes the company's audit entry and the service's log. They contain the names of changed settings, never a value. */
export async function recordCommand(
  webhooks: Pick<WebhooksContext, 'clock' | 'ids'>,
  tx: Tx,
  { actorId }: Actor,
  action: WebhookCommand,
  { companyId, serviceId, webhookId }: WebhookName,
  about: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  await recordAudit(tx, { companyId, actorId, action, ref: webhookId, serviceId, at: webhooks.clock.now() })
  await logService(
    webhooks,
    tx,
    { companyId, serviceId },
    {
      type: 'webhook',
      message: MESSAGES[action],
      metadata: { webhook_id: webhookId, action, actor_id: actorId, ...about },
    },
  )
}
