import type { Result, WebhookId } from '@sealpost/kernel'
import type { Tx } from '@sealpost/postgres'
import { refuse } from '@sealpost/protocol'
import { findAccount, lockProfileForShare } from '../../account/index.ts'
import { openQueue, type WebhookName } from '../../feed/index.ts'
import { lockServiceForShare, type ServiceName } from '../../services/index.ts'
import type { WebhooksContext } from '../context.ts'
import type { Actor, EndpointConfig, EndpointSecrets, Webhook } from '../model.ts'
import { type ConfigGiven, type ConfigRefusal, kindsOf, validateConfig } from '../rules/config.ts'
import { mergeSecrets, NO_SECRETS, type SecretsGiven, type SecretsRefusal } from '../rules/secrets.ts'
import { changeRoster, insertEndpoint, lockRoster } from '../store/endpoints.ts'
import type { WireWebhookOnce } from '../wire.ts'
import { type GeneratedSecret, generateSecret, storeRecoveryCopy } from './generate-secret.ts'
import { readWebhook } from './read-webhook.ts'
import { recordCommand } from './record-command.ts'
import { sealSecrets } from './seal-secrets.ts'

const MAX_PER_SERVICE = 10

export type WebhookGiven = ConfigGiven & SecretsGiven

export async function createWebhook(
  webhooks: WebhooksContext,
  actor: Actor,
  service: ServiceName,
  given: WebhookGiven,
): Promise<WireWebhookOnce> {
  const config = accepted(validateConfig(given))
  const generated = await generateSecret(webhooks, service.companyId)
  return webhooks.database.transaction(async (tx) => {
    const { isSuspended } = await lockCompanyForShare(tx, service, config)
    if ((await lockServiceForShare(tx, service.companyId, service.serviceId)) === null)
      throw refuse('services.not_found')
    const count = await lockRoster(tx, service)
    const name = { ...service, webhookId: webhooks.ids.uuid<WebhookId>() }
    const { webhook, isGenerated } = newWebhook(webhooks, name, config, given, generated)
    if (count >= MAX_PER_SERVICE) throw refuse('services.webhook_limit')
    await openQueue(webhooks, tx, name, { kinds: kindsOf(config), isEnabled: config.isEnabled, isSuspended })
    await insertWebhook(webhooks, tx, webhook)
    if (isGenerated) await storeRecoveryCopy(webhooks, tx, name, generated)
    const { authType: auth_type, isEnabled: enabled } = config
    await recordCommand(webhooks, tx, actor, 'webhooks.create', name, { auth_type, enabled })
    const answer = withSecretOnce(await readWebhook(webhooks, tx, name), isGenerated ? generated : null)
    await tx.storeAnswer(answer)
    return answer
  })
}

export function withSecretOnce(
  wire: Omit<WireWebhookOnce, 'hmac_secret_once'>,
  generated: GeneratedSecret | null,
): WireWebhookOnce {
  return { ...wire, hmac_secret_once: generated === null ? null : generated.secret.reveal() }
}

/** Throws the refusal. */
export function accepted<T>(result: Result<T, ConfigRefusal | SecretsRefusal>): T {
  if (!result.ok) throw refuse(result.refusal)
  return result.value
}

/** Keeps the company's level until the transaction ends: at a level without webhooks the queue starts suspended. */
async function lockCompanyForShare(
  tx: Tx,
  { companyId }: ServiceName,
  { encryptPayload }: EndpointConfig,
): Promise<{ readonly isSuspended: boolean }> {
  const account = (await lockProfileForShare(tx, companyId)) ? await findAccount(tx, companyId) : null
  if (account === null) throw refuse('auth.token_invalid')
  if (encryptPayload && account.publicKey === null) throw refuse('services.webhook_invalid')
  return { isSuspended: account.level === 'free' }
}

interface NewWebhook extends Webhook {
  readonly secrets: EndpointSecrets
}

function newWebhook(
  { clock, settings }: WebhooksContext,
  name: WebhookName,
  config: EndpointConfig,
  given: SecretsGiven,
  { secret: generated }: GeneratedSecret,
): { readonly webhook: NewWebhook; readonly isGenerated: boolean } {
  const now = clock.now()
  const change = { authType: config.authType, given, generated, now, headerVendor: settings.HEADER_VENDOR }
  const { secrets, isGenerated } = accepted(mergeSecrets(NO_SECRETS, change))
  return { webhook: { ...config, name, secrets, lastError: null, createdAt: now }, isGenerated }
}

async function insertWebhook({ settings }: WebhooksContext, tx: Tx, webhook: NewWebhook): Promise<void> {
  const { name, secrets, ...config } = webhook
  const { keyId, bytes } = sealSecrets(settings.DATA_KEY, name.webhookId, secrets)
  await insertEndpoint(tx, { ...config, ...name, secrets: bytes, secretsKeyId: keyId })
  await changeRoster(tx, name, 1)
}
