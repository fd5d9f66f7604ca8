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
import type { BindRoute } from '../../bind.ts'
import { nameOfService, type OpenNeeds, openService } from '../services/index.ts'
import { replayWebhook, steerWebhook, testWebhook } from './acts.ts'
import { changeWebhook, regenerateHmacSecret } from './change.ts'
import { deleteWebhook } from './deletion.ts'
import { listDeliveries } from './delivery-log.ts'
import type { WebhooksNeeds } from './needs.ts'
import { actorOf } from './recording.ts'
import { createWebhook, listWebhooks, locateWebhook, readWebhook } from './webhooks.ts'

export type WebhookRouteNeeds = WebhooksNeeds & Pick<OpenNeeds, 'hasSecondFactor'>

export function bindWebhookRoutes(bind: BindRoute, needs: WebhookRouteNeeds): void {
  bind({
    operation: listWebhooksOperation,
    locate: ({ caller, params }) => openService(needs, caller, params.id),
    handle: ({ located, query }) => listWebhooks(needs, nameOfService(located), query),
  })
  bind({
    operation: createWebhookOperation,
    locate: ({ caller, params }) => openService(needs, caller, params.id),
    handle: ({ caller, located, body, storeAnswer }) =>
      createWebhook(needs, actorOf(caller), nameOfService(located), body, storeAnswer),
  })
  bind({
    operation: readWebhookOperation,
    locate: ({ caller, params }) => locateWebhook(needs, caller, params),
    handle: ({ located }) => needs.database.read((read) => readWebhook(read, needs, located)),
  })
  bind({
    operation: changeWebhookOperation,
    locate: ({ caller, params }) => locateWebhook(needs, caller, params),
    handle: ({ caller, located, body }) => changeWebhook(needs, actorOf(caller), located, body),
  })
  bind({
    operation: deleteWebhookOperation,
    locate: ({ caller, params }) => locateWebhook(needs, caller, params),
    async handle({ caller, located }) {
      await deleteWebhook(needs, actorOf(caller), located)
      return undefined
    },
  })
  bind({
    operation: regenerateHmacSecretOperation,
    locate: ({ caller, params }) => locateWebhook(needs, caller, params),
    handle: ({ caller, located, body, storeAnswer }) =>
      regenerateHmacSecret(needs, actorOf(caller), located, body.grace_seconds, storeAnswer),
  })
  bindActs(bind, needs)
}

function bindActs(bind: BindRoute, needs: WebhookRouteNeeds): void {
  bind({
    operation: pauseWebhook,
    locate: ({ caller, params }) => locateWebhook(needs, caller, params),
    handle: ({ caller, located }) => steerWebhook(needs, actorOf(caller), located, 'pause'),
  })
  bind({
    operation: resumeWebhook,
    locate: ({ caller, params }) => locateWebhook(needs, caller, params),
    handle: ({ caller, located }) => steerWebhook(needs, actorOf(caller), located, 'resume'),
  })
  bind({
    operation: probeWebhook,
    locate: ({ caller, params }) => locateWebhook(needs, caller, params),
    handle: ({ caller, located }) => steerWebhook(needs, actorOf(caller), located, 'probe'),
  })
  bind({
    operation: testWebhookOperation,
    locate: ({ caller, params }) => locateWebhook(needs, caller, params),
    handle: ({ caller, located }) => testWebhook(needs, actorOf(caller), located),
  })
  bind({
    operation: replayWebhookOperation,
    locate: ({ caller, params }) => locateWebhook(needs, caller, params),
    handle: ({ caller, located, body, storeAnswer }) =>
      replayWebhook(needs, actorOf(caller), located, body.since, storeAnswer),
  })
  bind({
    operation: listDeliveriesOperation,
    locate: ({ caller, params }) => locateWebhook(needs, caller, params),
    handle: ({ located, query }) => listDeliveries(needs, located, query),
  })
}
