import type { Tx } from '@sealpost/postgres'
import { refuse } from '@sealpost/protocol'
import { deleteRecoveryCopies, findAccount } from '../../account/index.ts'
import { changeQueue, type QueueChange, readQueueHealth, type WebhookName } from '../../feed/index.ts'
import type { WebhooksContext } from '../context.ts'
import { type Actor, type EndpointConfig, SECRET_NAMES, type Webhook } from '../model.ts'
import { kindsOf, validateConfig } from '../rules/config.ts'
import { type MergedSecrets, mergeSecrets, NO_SECRETS } from '../rules/secrets.ts'
import { lockRoster, updateEndpoint } from '../store/endpoints.ts'
import { webhookToWire, type WireWebhookOnce } from '../wire.ts'
import { accepted, type WebhookGiven, withSecretOnce } from './create-webhook.ts'
import { generateSecret, storeRecoveryCopy } from './generate-secret.ts'
import { findWebhook } from './load-endpoints.ts'
import { readWebhook } from './read-webhook.ts'
import { recordCommand } from './record-command.ts'
import { recordTransitions } from './record-transitions.ts'
import { sealSecrets } from './seal-secrets.ts'

export async function changeWebhook(
  webhooks: WebhooksContext,
  actor: Actor,
  name: WebhookName,
  given: WebhookGiven,
): Promise<WireWebhookOnce> {
  const config = accepted(validateConfig(given))
  const generated = await generateSecret(webhooks, name.companyId)
  const { clock, settings } = webhooks
  const withGenerated = await webhooks.database.transaction(async (tx) => {
    const stored = await lockWebhook(webhooks, tx, name)
    if (config.encryptPayload) await requireAccountKey(tx, name)
    const { authType } = config
    const change = {
      authType,
      given,
      generated: generated.secret,
      now: clock.now(),
      headerVendor: settings.HEADER_VENDOR,
    }
    // Secrets that cannot be opened cannot be kept: the call must set the needed ones again.
    const merged = accepted(mergeSecrets(stored.secrets ?? NO_SECRETS, change))
    const changed = changedMembers(stored, config, merged)
    const health = merged.isGenerated ? await readQueueHealth(tx, name, clock.now()) : null
    if (changed.length > 0 || stored.secrets === null) {
      await applyToQueue(webhooks, tx, name, ...queueChanges(stored, config))
      await updateEndpoint(tx, name, config, sealSecrets(settings.DATA_KEY, name.webhookId, merged.secrets))
      if (merged.isGenerated) await storeRecoveryCopy(webhooks, tx, name, generated)
      // Recovery copies are of generated secrets; a secret that the company chose is its own to keep.
      else if (changed.includes('hmac_secret')) await deleteRecoveryCopies(tx, name.companyId, name.webhookId)
      await recordCommand(webhooks, tx, actor, 'webhooks.change', name, { changed })
    }
    return health === null ? null : webhookToWire({ ...stored, ...config, secrets: merged.secrets }, health)
  })
  // After the transaction: counting the backlog under the lock of the head would block appends to the service.
  const wire = await webhooks.database
    .read((read) => readWebhook(webhooks, read, name))
    .catch((error: unknown) => {
      if (withGenerated === null) throw error
      // A generated secret is answered only now, even if the webhook was deleted since: with the earlier health.
      return withGenerated
    })
  return withSecretOnce(wire, withGenerated === null ? null : generated)
}

/** Serialises commands on the configuration of this service until the transaction ends: [Note: the roster]. */
export async function lockWebhook(
  { settings }: Pick<WebhooksContext, 'settings'>,
  tx: Tx,
  name: WebhookName,
): Promise<Webhook> {
  await lockRoster(tx, name)
  const webhook = await findWebhook(tx, settings.DATA_KEY, name)
  if (webhook === null) throw refuse('services.webhook_not_found')
  return webhook
}

/** Answers the number of queued events after a replay. */
export async function applyToQueue(
  webhooks: Pick<WebhooksContext, 'clock' | 'ids'>,
  tx: Tx,
  name: WebhookName,
  ...changes: readonly QueueChange[]
): Promise<number> {
  const { queued, transition } = await changeQueue(webhooks, tx, name, ...changes)
  const at = webhooks.clock.now()
  if (transition !== null) await recordTransitions(webhooks, tx, [{ name, ...transition, at, lastError: null }])
  return queued
}

/** `touch` when no change concerns the queue: workers must load the endpoint again. */
function queueChanges(stored: EndpointConfig, config: EndpointConfig): readonly QueueChange[] {
  const changes: QueueChange[] = []
  if (!isSame(stored.events, config.events)) changes.push({ command: 'subscribe', kinds: kindsOf(config) })
  if (stored.isEnabled !== config.isEnabled) changes.push({ command: config.isEnabled ? 'enable' : 'disable' })
  if (stored.url !== config.url) changes.push({ command: 'retarget' })
  return changes.length === 0 ? [{ command: 'touch' }] : changes
}

/** By their names on the wire, for the logs. */
function changedMembers(stored: Webhook, config: EndpointConfig, { secrets }: MergedSecrets): readonly string[] {
  const isChanged = {
    url: stored.url !== config.url,
    events: !isSame(stored.events, config.events),
    format: stored.format !== config.format,
    auth_type: stored.authType !== config.authType,
    encrypt_payload: stored.encryptPayload !== config.encryptPayload,
    enabled: stored.isEnabled !== config.isEnabled,
  }
  const members = Object.entries(isChanged).flatMap(([member, is]) => (is ? [member] : []))
  const before = stored.secrets?.values ?? NO_SECRETS.values
  return [...members, ...SECRET_NAMES.filter((name) => before[name] !== secrets.values[name])]
}

function isSame(events: readonly string[], others: readonly string[]): boolean {
  return events.length === others.length && events.every((event) => others.includes(event))
}

async function requireAccountKey(tx: Tx, { companyId }: WebhookName): Promise<void> {
  if ((await findAccount(tx, companyId))?.publicKey === null) throw refuse('services.webhook_invalid')
}
