import { type Instant, parseInstant } from '@sealpost/kernel'
import type { Tx } from '@sealpost/postgres'
import { refuse } from '@sealpost/protocol'
import type { OutletName } from '../feed/index.ts'
import { applyToOutlet, lockWebhook } from './change.ts'
import { insertDeliveries } from './delivery-log.ts'
import { loadEndpoints } from './load.ts'
import type { WebhooksNeeds } from './needs.ts'
import { type Actor, recordAct } from './recording.ts'
import type { WebhookShown } from './show.ts'
import { readWebhook } from './webhooks.ts'

/** Pausing what is paused, or probing what runs, changes nothing and is answered alike. */
export async function steerWebhook(
  needs: WebhooksNeeds,
  actor: Actor,
  name: OutletName,
  act: 'pause' | 'resume' | 'probe',
): Promise<WebhookShown> {
  await needs.database.transaction(async (tx) => {
    await lockWebhook(tx, needs, name)
    await applyToOutlet(tx, needs, name, { act })
    await recordAct(tx, needs, actor, `webhooks.${act}`, name)
  })
  // Not before: nothing can be appended to the service while what waits is counted.
  return needs.database.read((read) => readWebhook(read, needs, name))
}

export async function replayWebhook(
  needs: WebhooksNeeds,
  actor: Actor,
  name: OutletName,
  sinceText: string | undefined,
  storeAnswer: (tx: Tx, answer: { queued: number }) => Promise<void>,
): Promise<{ queued: number }> {
  const since = readSince(sinceText)
  return needs.database.transaction(async (tx) => {
    await lockWebhook(tx, needs, name)
    const queued = await applyToOutlet(tx, needs, name, { act: 'replay', since })
    await recordAct(tx, needs, actor, 'webhooks.replay', name, { queued, since: sinceText ?? null })
    await storeAnswer(tx, { queued })
    return { queued }
  })
}

export interface TestShown {
  readonly http_status: number | null
  readonly duration_ms: number
  readonly error_class: string | null
}

/** Beside the queue: whatever comes of it, health and backlog stay as they are. */
export async function testWebhook(needs: WebhooksNeeds, actor: Actor, name: OutletName): Promise<TestShown> {
  const endpoint = (await loadEndpoints(needs, [name])).get(name.webhookId)
  if (endpoint === undefined) throw refuse('services.webhook_not_found')
  const at = needs.clock.now()
  const { eventId, httpStatus, durationMs, errorClass } = await needs.sendTest(endpoint)
  await needs.database.transaction(async (tx) => {
    // Deleted while the receiver took its time: nothing may be written about it any more.
    await lockWebhook(tx, needs, name)
    const outcome = { httpStatus, durationMs, errorClass, at }
    await insertDeliveries(tx, [{ id: needs.ids.uuid(), name, event: 'test', eventId, kind: 'test', ...outcome }])
    await recordAct(tx, needs, actor, 'webhooks.test', name, { http_status: httpStatus })
  })
  return { http_status: httpStatus, duration_ms: durationMs, error_class: errorClass }
}

function readSince(text: string | undefined): Instant | null {
  if (text === undefined) return null
  const since = parseInstant(text)
  if (since !== null) return since
  throw refuse('request.invalid', { details: [{ path: '/body/since', message: 'is no timestamp' }] })
}
