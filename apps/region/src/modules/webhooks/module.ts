import type { Module, Platform } from '../../platform/module.ts'
import { alertStaleQueues } from './alerts/index.ts'
import type { WebhooksContext } from './context.ts'
import { startDelivery } from './delivery/index.ts'
import { tidyDeliveries } from './operations/delivery-log.ts'
import { bindWebhookRoutes } from './routes.ts'

export function openWebhooks(
  platform: Platform,
  uses: Pick<WebhooksContext, 'mail' | 'feed' | 'services'>,
): WebhooksContext & Module {
  const webhooks: WebhooksContext = { ...platform, ...uses }
  return {
    ...webhooks,
    name: 'webhooks',
    routes: (bind) => bindWebhookRoutes(bind, webhooks),
    chores: [
      { what: 'the log of deliveries', run: () => tidyDeliveries(webhooks) },
      { what: 'webhook queues with old backlogs', run: () => alertStaleQueues(webhooks) },
    ],
    start: () => startDelivery(webhooks),
  }
}
