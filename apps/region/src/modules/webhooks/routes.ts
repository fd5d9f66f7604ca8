import {
  changeWebhook as changeWebhookOperation,
  createWebhook as createWebhookOperation,
  deleteWebhook as deleteWebhookOperation,
  listDeliveries as listDeliveriesOperation,
  listWebhooks as listWebhooksOperation,
  pauseWebhook,
  probeWebhook,
  readWebhook as readWebhookOperation,
  regenerateHmacSecret as regenerateHmacSecretOperation,
  replayWebhook as replayWebhookOperation,
  resumeWebhook,
  testWebhook as testWebhookOperation,
} from '@sealpost/protocol'
import type { BindRoute } from '../../platform/bind-route.ts'
import type { Caller } from '../../platform/caller.ts'
import { nameOfService, requireService } from '../services/index.ts'
import type { WebhooksContext } from './context.ts'
import type { Actor } from './model.ts'
import { changeWebhook } from './operations/change-webhook.ts'
import { controlWebhook, replayWebhook, testWebhook } from './operations/control-webhook.ts'
import { createWebhook } from './operations/create-webhook.ts'
import { deleteWebhook } from './operations/delete-webhook.ts'
import { listDeliveries } from './operations/delivery-log.ts'
import { listWebhooks, locateWebhook, readWebhook } from './operations/read-webhook.ts'
import { regenerateHmacSecret } from './operations/rotate-secret.ts'

export function bindWebhookRoutes(bind: BindRoute, webhooks: WebhooksContext): void {
  bind({
    operation: listWebhooksOperation,
    locate: ({ caller, params }) => requireService(webhooks.services, caller, params.id),
    handle: ({ located, query }) => listWebhooks(webhooks, nameOfService(located), query),
  })
  bind({
    operation: createWebhookOperation,
    locate: ({ caller, params }) => requireService(webhooks.services, caller, params.id),
    handle: ({ caller, located, body }) => createWebhook(webhooks, actorOf(caller), nameOfService(located), body),
  })
  bind({
    operation: readWebhookOperation,
    locate: ({ caller, params }) => locateWebhook(webhooks, caller, params),
    handle: ({ located }) => webhooks.database.read((read) => readWebhook(webhooks, read, located)),
  })
  bind({
    operation: changeWebhookOperation,
    locate: ({ caller, params }) => locateWebhook(webhooks, caller, params),
    handle: ({ caller, located, body }) => changeWebhook(webhooks, actorOf(caller), located, body),
  })
  bind({
    operation: deleteWebhookOperation,
    locate: ({ caller, params }) => locateWebhook(webhooks, caller, params),
    async handle({ caller, located }) {
      await deleteWebhook(webhooks, actorOf(caller), located)
      return undefined
    },
  })
  bind({
    operation: regenerateHmacSecretOperation,
    locate: ({ caller, params }) => locateWebhook(webhooks, caller, params),
    handle: ({ caller, located, body }) => regenerateHmacSecret(webhooks, actorOf(caller), located, body.grace_seconds),
  })
  bindControls(bind, webhooks)
}

function bindControls(bind: BindRoute, webhooks: WebhooksContext): void {
  bind({
    operation: pauseWebhook,
    locate: ({ caller, params }) => locateWebhook(webhooks, caller, params),
    handle: ({ caller, located }) => controlWebhook(webhooks, actorOf(caller), located, 'pause'),
  })
  bind({
    operation: resumeWebhook,
    locate: ({ caller, params }) => locateWebhook(webhooks, caller, params),
    handle: ({ caller, located }) => controlWebhook(webhooks, actorOf(caller), located, 'resume'),
  })
  bind({
    operation: probeWebhook,
    locate: ({ caller, params }) => locateWebhook(webhooks, caller, params),
    handle: ({ caller, located }) => controlWebhook(webhooks, actorOf(caller), located, 'probe'),
  })
  bind({
    operation: testWebhookOperation,
    locate: ({ caller, params }) => locateWebhook(webhooks, caller, params),
    handle: ({ caller, located }) => testWebhook(webhooks, actorOf(caller), located),
  })
  bind({
    operation: replayWebhookOperation,
    locate: ({ caller, params }) => locateWebhook(webhooks, caller, params),
    handle: ({ caller, located, body }) => replayWebhook(webhooks, actorOf(caller), located, body.since),
  })
  bind({
    operation: listDeliveriesOperation,
    locate: ({ caller, params }) => locateWebhook(webhooks, caller, params),
    handle: ({ located, query }) => listDeliveries(webhooks, located, query),
  })
}

function actorOf({ userId, client }: Pick<Caller, 'userId' | 'client'>): Actor {
  return { actorId: client?.clientId ?? userId }
}
