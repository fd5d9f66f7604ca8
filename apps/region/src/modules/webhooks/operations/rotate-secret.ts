import { formatInstant } from '@sealpost/kernel'
import { refuse } from '@sealpost/protocol'
import type { WebhookName } from '../../feed/index.ts'
import type { WebhooksContext } from '../context.ts'
import type { Actor } from '../model.ts'
import { DEFAULT_GRACE_SECONDS, lacksSecret, NO_SECRETS, rotateSecret } from '../rules/secrets.ts'
import { updateEndpoint } from '../store/endpoints.ts'
import { applyToQueue, lockWebhook } from './change-webhook.ts'
import { accepted } from './create-webhook.ts'
import { generateSecret, storeRecoveryCopy } from './generate-secret.ts'
import { recordCommand } from './record-command.ts'
import { sealSecrets } from './seal-secrets.ts'

export interface WireRotation {
  readonly hmac_secret_once: string | null
  readonly previous_valid_until: string | null
}

export async function regenerateHmacSecret(
  webhooks: WebhooksContext,
  actor: Actor,
  name: WebhookName,
  graceSeconds: number = DEFAULT_GRACE_SECONDS,
): Promise<WireRotation> {
  const { database, clock, settings } = webhooks
  const generated = await generateSecret(webhooks, name.companyId)
  return database.transaction(async (tx) => {
    const stored = await lockWebhook(webhooks, tx, name)
    const secrets = accepted(rotateSecret(stored.secrets ?? NO_SECRETS, generated.secret, clock.now(), graceSeconds))
    // The other secrets cannot be opened, and this authentication needs one of them.
    if (lacksSecret(stored.authType, secrets.values)) throw refuse('services.webhook_auth_invalid')
    await applyToQueue(webhooks, tx, name, { command: 'touch' })
    await updateEndpoint(tx, name, stored, sealSecrets(settings.DATA_KEY, name.webhookId, secrets))
    await storeRecoveryCopy(webhooks, tx, name, generated)
    const [previous] = secrets.earlier
    const until = previous === undefined ? null : formatInstant(previous.validUntil)
    await recordCommand(webhooks, tx, actor, 'webhooks.regenerate_hmac_secret', name, { previous_valid_until: until })
    const answer = { hmac_secret_once: generated.secret.reveal(), previous_valid_until: until }
    await tx.storeAnswer(answer)
    return answer
  })
}
