import { type Instant, parseInstant } from '@sealpost/kernel'
import { refuse } from '@sealpost/protocol'
import type { WebhookName } from '../../feed/index.ts'
import type { WebhooksContext } from '../context.ts'
import { sendTest } from '../delivery/index.ts'
import type { Actor } from '../model.ts'
import type { WireWebhook } from '../wire.ts'
import { applyToQueue, lockWebhook } from './change-webhook.ts'
import { insertDeliveries } from './delivery-log.ts'
import { loadEndpoints } from './load-endpoints.ts'
import { readWebhook } from './read-webhook.ts'
import { recordCommand } from './record-command.ts'

/** Pausing a paused webhook, or probing a running one, changes nothing and answers the same. */
export async function controlWebhook(
  webhooks: WebhooksContext,
  actor: Actor,
  name: WebhookName,
  command: 'pause' | 'resume' | 'probe',
): Promise<WireWebhook> {
  await webhooks.database.transaction(async (tx) => {
    await lockWebhook(webhooks, tx, name)
    await applyToQueue(webhooks, tx, name, { command })
    await recordCommand(webhooks, tx, actor, `webhooks.${command}`, name)
  })
  // After the transaction: counting the backlog under the lock of the head would block appends to the service.
  return webhooks.database.read((read) => readWebhook(webhooks, read, name))
}

export async function replayWebhook(
  webhooks: WebhooksContext,
  actor: Actor,
  name: WebhookName,
  sinceText: string | undefined,
): Promise<{ queued: number }> {
  const since = readSince(sinceText)
  return webhooks.database.transaction(async (tx) => {
    await lockWebhook(webhooks, tx, name)
    const queued = await applyToQueue(webhooks, tx, name, { command: 'replay', since })
    await recordCommand(webhooks, tx, actor, 'webhooks.replay', name, { queued, since: sinceText ?? null })
    await tx.storeAnswer({ queued })
    return { queued }
  })
}

export interface WireTest {
  readonly http_status: number | null
  readonly duration_ms: number
  readonly error_class: string | null
}

/** Bypasses the queue: its outcome changes neither health nor backlog. */
export async function testWebhook(webhooks: WebhooksContext, actor: Actor, name: WebhookName): Promise<WireTest> {
  const endpoint = (await loadEndpoints(webhooks, [name])).get(name.webhookId)
  if (endpoint === undefined) throw refuse('services.webhook_not_found')
  const at = webhooks.clock.now()
  const { eventId, httpStatus, durationMs, errorClass } = await sendTest(webhooks, endpoint)
  await webhooks.database.transaction(async (tx) => {
    // The webhook may have been deleted during the POST: then nothing is written.
    await lockWebhook(webhooks, tx, name)
    const outcome = { httpStatus, durationMs, errorClass, at }
    await insertDeliveries(tx, [{ id: webhooks.ids.uuid(), name, event: 'test', eventId, kind: 'test', ...outcome }])
    await recordCommand(webhooks, tx, actor, 'webhooks.test', name, { http_status: httpStatus })
  })
  return { http_status: httpStatus, duration_ms: durationMs, error_class: errorClass }
}

function readSince(text: string | undefined): Instant | null {
  if (text === undefined) return null
  const since = parseInstant(text)
  if (since !== null) return since
  throw refuse('request.invalid', { details: [{ path: '/body/since', message: 'is not a timestamp' }] })
}
