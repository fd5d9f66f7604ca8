import { parseUuid, type Result, type WebhookId } from '@sealpost/kernel'
import type { Read, Tx } from '@sealpost/postgres'
import { type PageQueryText, refuse } from '@sealpost/protocol'
import { findAccount, holdProfile } from '../account/index.ts'
import { openOutlet, type OutletName, readOutletHealth, readOutlets } from '../feed/index.ts'
import { holdService, nameOfService, type OpenNeeds, openService, type ServiceName } from '../services/index.ts'
import type { EndpointConfig, EndpointSecrets, Webhook } from './endpoint.ts'
import { findWebhook, openWebhook } from './load.ts'
import type { WebhooksNeeds } from './needs.ts'
import { cursorOf, sliceOf } from './paging.ts'
import { type Actor, recordAct } from './recording.ts'
import { type ConfigGiven, type ConfigRefusal, judgeConfig } from './rules/config.ts'
import { mergeSecrets, NO_SECRETS, type SecretsGiven, type SecretsRefusal } from './rules/secrets.ts'
import { sealSecrets } from './secrets.ts'
import { showWebhook, type WebhookShown } from './show.ts'
import { keepRecoveryCopy, type MadeSecret, makeSecret } from './signing-secret.ts'
import {
  changeRoster,
  countEndpoints,
  findEndpoint,
  insertEndpoint,
  listEndpoints,
  lockRoster,
} from './store/endpoints.ts'

const MOST_PER_SERVICE = 10

export type WebhookGiven = ConfigGiven & SecretsGiven

export interface WebhookShownOnce extends WebhookShown {
  readonly hmac_secret_once: string | null
}

/** The webhook that a path names; whoever may not open the service learns nothing of it. */
export async function locateWebhook(
  needs: Pick<WebhooksNeeds, 'database'> & OpenNeeds,
  caller: Parameters<typeof openService>[1],
  params: { readonly id: string; readonly webhookId: string },
): Promise<OutletName> {
  const service = nameOfService(await openService(needs, caller, params.id))
  const webhookId = parseUuid<WebhookId>(params.webhookId)
  if (webhookId === null) throw refuse('services.webhook_not_found')
  const name = { ...service, webhookId }
  if ((await needs.database.read((read) => findEndpoint(read, name))) === null) {
    throw refuse('services.webhook_not_found')
  }
  return name
}

export async function createWebhook(
  needs: WebhooksNeeds,
  actor: Actor,
  service: ServiceName,
  given: WebhookGiven,
  storeAnswer: (tx: Tx, answer: WebhookShownOnce) => Promise<void>,
): Promise<WebhookShownOnce> {
  const config = accepted(judgeConfig(given))
  const made = await makeSecret(needs, service.companyId)
  return needs.database.transaction(async (tx) => {
    const { isSuspended } = await holdCompany(tx, service, config)
    if ((await holdService(tx, service.companyId, service.serviceId)) === null) throw refuse('services.not_found')
    const count = await lockRoster(tx, service)
    const name = { ...service, webhookId: needs.ids.uuid<WebhookId>() }
    const { webhook, isMade } = newWebhook(needs, name, config, given, made)
    if (count >= MOST_PER_SERVICE) throw refuse('services.webhook_limit')
    await openOutlet(tx, needs, name, { kinds: kindsOf(config), isEnabled: config.isEnabled, isSuspended })
    await insertWebhook(tx, needs, webhook)
    if (isMade) await keepRecoveryCopy(tx, needs, name, made)
    const { authType: auth_type, isEnabled: enabled } = config
    await recordAct(tx, needs, actor, 'webhooks.create', name, { auth_type, enabled })
    const answer = showOnce(await readWebhook(tx, needs, name), isMade ? made : null)
    await storeAnswer(tx, answer)
    return answer
  })
}

export async function listWebhooks(
  { database, clock, dataKey }: Pick<WebhooksNeeds, 'database' | 'clock' | 'dataKey'>,
  service: ServiceName,
  query: PageQueryText,
) {
  const { past, offset, limit } = sliceOf(query, LIST)
  return database.read(async (read) => {
    const rows = await listEndpoints(read, service, { after: past, offset, limit: limit + 1 })
    const health = await readOutlets(read, service, clock.now())
    const last = rows.slice(0, limit).at(-1)
    return {
      total: await countEndpoints(read, service),
      items: rows.slice(0, limit).flatMap((row) => {
        const state = health.get(row.webhookId)
        // Deleted between the two looks.
        return state === undefined ? [] : [showWebhook(openWebhook(dataKey, row), state)]
      }),
      next_cursor: rows.length > limit && last !== undefined ? cursorOf(LIST, last.webhookId) : null,
    }
  })
}

const LIST = 'webhooks'

export async function readWebhook(
  read: Read,
  { clock, dataKey }: Pick<WebhooksNeeds, 'clock' | 'dataKey'>,
  name: OutletName,
): Promise<WebhookShown> {
  const webhook = await findWebhook(read, dataKey, name)
  const health = await readOutletHealth(read, name, clock.now())
  if (webhook === null || health === null) throw refuse('services.webhook_not_found')
  return showWebhook(webhook, health)
}

export function showOnce(shown: WebhookShown, made: MadeSecret | null): WebhookShownOnce {
  return { ...shown, hmac_secret_once: made === null ? null : made.secret.reveal() }
}

/** The level as it is until the transaction ends: a webhook of a level without webhooks begins suspended. */
async function holdCompany(
  tx: Tx,
  { companyId }: ServiceName,
  { encryptPayload }: EndpointConfig,
): Promise<{ readonly isSuspended: boolean }> {
  const account = (await holdProfile(tx, companyId)) ? await findAccount(tx, companyId) : null
  if (account === null) throw refuse('auth.token_invalid')
  if (encryptPayload && account.publicKey === null) throw refuse('services.webhook_invalid')
  return { isSuspended: account.level === 'free' }
}

interface NewWebhook extends Webhook {
  readonly secrets: EndpointSecrets
}

function newWebhook(
  { clock, headerVendor }: WebhooksNeeds,
  name: OutletName,
  config: EndpointConfig,
  given: SecretsGiven,
  made: MadeSecret,
): { readonly webhook: NewWebhook; readonly isMade: boolean } {
  const now = clock.now()
  const wish = { authType: config.authType, given, made: made.secret, now, headerVendor }
  const { secrets, isMade } = accepted(mergeSecrets(NO_SECRETS, wish))
  return { webhook: { ...config, name, secrets, lastError: null, createdAt: now }, isMade }
}

async function insertWebhook(tx: Tx, { dataKey }: Pick<WebhooksNeeds, 'dataKey'>, webhook: NewWebhook): Promise<void> {
  const { name, secrets, ...config } = webhook
  const { keyId, bytes } = sealSecrets(dataKey, name.webhookId, secrets)
  await insertEndpoint(tx, { ...config, ...name, secrets: bytes, secretsKeyId: keyId })
  await changeRoster(tx, name, 1)
}

/** Null: all of them, also those that are invented later. */
export function kindsOf({ events }: Pick<EndpointConfig, 'events'>): EndpointConfig['events'] | null {
  return events.length === 0 ? null : events
}

export function accepted<T>(judged: Result<T, ConfigRefusal | SecretsRefusal>): T {
  if (!judged.ok) throw refuse(judged.refusal)
  return judged.value
}
