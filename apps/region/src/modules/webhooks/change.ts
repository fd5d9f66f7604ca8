import { formatInstant } from '@sealpost/kernel'
import type { Tx } from '@sealpost/postgres'
import { refuse } from '@sealpost/protocol'
import { dropRecoveryCopies, findAccount } from '../account/index.ts'
import { changeOutlet, type OutletChange, type OutletName, readOutletHealth } from '../feed/index.ts'
import { type EndpointConfig, SECRET_NAMES, type Webhook } from './endpoint.ts'
import { recordTransitions } from './health.ts'
import { findWebhook } from './load.ts'
import type { WebhooksNeeds } from './needs.ts'
import { type Actor, recordAct } from './recording.ts'
import { judgeConfig } from './rules/config.ts'
import {
  DEFAULT_GRACE_SECONDS,
  lacksSecret,
  type MergedSecrets,
  mergeSecrets,
  NO_SECRETS,
  rotateSecret,
} from './rules/secrets.ts'
import { sealSecrets } from './secrets.ts'
import { showWebhook } from './show.ts'
import { keepRecoveryCopy, makeSecret } from './signing-secret.ts'
import { lockRoster, updateEndpoint } from './store/endpoints.ts'
import { accepted, kindsOf, readWebhook, showOnce, type WebhookGiven, type WebhookShownOnce } from './webhooks.ts'

export async function changeWebhook(
  needs: WebhooksNeeds,
  actor: Actor,
  name: OutletName,
  given: WebhookGiven,
): Promise<WebhookShownOnce> {
  const config = accepted(judgeConfig(given))
  const made = await makeSecret(needs, name.companyId)
  const foretold = await needs.database.transaction(async (tx) => {
    const stored = await lockWebhook(tx, needs, name)
    if (config.encryptPayload) await demandAccountKey(tx, name)
    const { clock, headerVendor } = needs
    const wish = { authType: config.authType, given, made: made.secret, now: clock.now(), headerVendor }
    // What does not open cannot be kept: given anew, it is replaced.
    const merged = accepted(mergeSecrets(stored.secrets ?? NO_SECRETS, wish))
    const changed = changedMembers(stored, config, merged)
    const health = merged.isMade ? await readOutletHealth(tx, name, clock.now()) : null
    if (changed.length > 0 || stored.secrets === null) {
      await applyToOutlet(tx, needs, name, ...outletChanges(stored, config))
      await updateEndpoint(tx, name, config, sealSecrets(needs.dataKey, name.webhookId, merged.secrets))
      if (merged.isMade) await keepRecoveryCopy(tx, needs, name, made)
      // The copy is of a secret that the server made; what the company chose is its own to keep.
      else if (changed.includes('hmac_secret')) await dropRecoveryCopies(tx, name.companyId, name.webhookId)
      await recordAct(tx, needs, actor, 'webhooks.change', name, { changed })
    }
    return health === null ? null : showWebhook({ ...stored, ...config, secrets: merged.secrets }, health)
  })
  // Not before: nothing can be appended to the service while what waits is counted.
  const shown = await needs.database
    .read((read) => readWebhook(read, needs, name))
    .catch((error: unknown) => {
      if (foretold === null) throw error
      // The secret that was made is told now or never, also when the webhook is gone by now: its health is of just before.
      return foretold
    })
  return showOnce(shown, foretold === null ? null : made)
}

export interface RotatedShown {
  readonly hmac_secret_once: string | null
  readonly previous_valid_until: string | null
}

export async function regenerateHmacSecret(
  needs: WebhooksNeeds,
  actor: Actor,
  name: OutletName,
  graceSeconds: number = DEFAULT_GRACE_SECONDS,
  storeAnswer: (tx: Tx, answer: RotatedShown) => Promise<void>,
): Promise<RotatedShown> {
  const made = await makeSecret(needs, name.companyId)
  return needs.database.transaction(async (tx) => {
    const stored = await lockWebhook(tx, needs, name)
    const secrets = accepted(rotateSecret(stored.secrets ?? NO_SECRETS, made.secret, needs.clock.now(), graceSeconds))
    // Its other secrets do not open, and it needs one of them.
    if (lacksSecret(stored.authType, secrets.values)) throw refuse('services.webhook_auth_invalid')
    await applyToOutlet(tx, needs, name, { act: 'touch' })
    await updateEndpoint(tx, name, stored, sealSecrets(needs.dataKey, name.webhookId, secrets))
    await keepRecoveryCopy(tx, needs, name, made)
    const [previous] = secrets.earlier
    const until = previous === undefined ? null : formatInstant(previous.validUntil)
    await recordAct(tx, needs, actor, 'webhooks.regenerate_hmac_secret', name, { previous_valid_until: until })
    const answer = { hmac_secret_once: made.secret.reveal(), previous_valid_until: until }
    await storeAnswer(tx, answer)
    return answer
  })
}

/** Until the transaction ends no other act on the configuration of this service begins: [Note: the roster]. */
export async function lockWebhook(
  tx: Tx,
  { dataKey }: Pick<WebhooksNeeds, 'dataKey'>,
  name: OutletName,
): Promise<Webhook> {
  await lockRoster(tx, name)
  const webhook = await findWebhook(tx, dataKey, name)
  if (webhook === null) throw refuse('services.webhook_not_found')
  return webhook
}

/** Answers how many events wait now, of a replay. */
export async function applyToOutlet(
  tx: Tx,
  needs: Pick<WebhooksNeeds, 'clock' | 'ids'>,
  name: OutletName,
  ...changes: readonly OutletChange[]
): Promise<number> {
  const { queued, transition } = await changeOutlet(tx, needs, name, ...changes)
  const at = needs.clock.now()
  if (transition !== null) await recordTransitions(tx, needs, [{ name, ...transition, at, lastError: null }])
  return queued
}

/** Also when nothing of this concerns the queue, workers must read the endpoint again. */
function outletChanges(stored: EndpointConfig, config: EndpointConfig): readonly OutletChange[] {
  const changes: OutletChange[] = []
  if (!isSame(stored.events, config.events)) changes.push({ act: 'subscribe', kinds: kindsOf(config) })
  if (stored.isEnabled !== config.isEnabled) changes.push({ act: config.isEnabled ? 'enable' : 'disable' })
  if (stored.url !== config.url) changes.push({ act: 'retarget' })
  return changes.length === 0 ? [{ act: 'touch' }] : changes
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

async function demandAccountKey(tx: Tx, { companyId }: OutletName): Promise<void> {
  if ((await findAccount(tx, companyId))?.publicKey === null) throw refuse('services.webhook_invalid')
}
