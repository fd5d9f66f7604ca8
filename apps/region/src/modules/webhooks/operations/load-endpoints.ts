import type { Keyring, UserId, WebhookId } from '@sealpost/kernel'
import type { Read } from '@sealpost/postgres'
import { findAccount } from '../../account/index.ts'
import type { WebhookName } from '../../feed/index.ts'
import type { SecretsContext } from '../context.ts'
import type { Endpoint, EndpointAuth } from '../delivery/model.ts'
import type { EndpointFacts, EndpointRow, EndpointSecrets, SecretName, Webhook } from '../model.ts'
import { findEndpoint, findEndpointById, loadRows } from '../store/endpoints.ts'
import { openSecrets } from './seal-secrets.ts'

/** The endpoints of many webhooks, for sending; a deleted one is missing. */
export async function loadEndpoints(
  { database, settings }: SecretsContext,
  names: readonly WebhookName[],
): Promise<ReadonlyMap<WebhookId, Endpoint>> {
  if (names.length === 0) return new Map()
  return database.read(async (read) => {
    const rows = await loadRows(read, names)
    const keys = await loadAccountKeys(read, rows)
    return new Map(
      rows.map((row) => {
        const accountKey = row.encryptPayload ? (keys.get(row.companyId) ?? null) : null
        return [row.webhookId, endpointOf(openWebhook(settings.DATA_KEY, row), accountKey)]
      }),
    )
  })
}

/** Null for a missing webhook and for another service's. */
export async function findWebhook(read: Read, dataKey: Keyring, name: WebhookName): Promise<Webhook | null> {
  const row = await findEndpoint(read, name)
  return row === null ? null : openWebhook(dataKey, row)
}

export function openWebhook(dataKey: Keyring, row: EndpointRow): Webhook {
  const { companyId, serviceId, webhookId, secrets: bytes, secretsKeyId: keyId, ...config } = row
  const name = { companyId, serviceId, webhookId }
  return { ...config, name, secrets: openSecrets(dataKey, webhookId, { keyId, bytes }) }
}

/** By its id alone and without its secrets, for operators. */
export async function findEndpointFacts(read: Read, id: WebhookId): Promise<EndpointFacts | null> {
  const row = await findEndpointById(read, id)
  if (row === null) return null
  const { companyId, serviceId, webhookId, secrets: _sealed, secretsKeyId: _key, ...facts } = row
  return { ...facts, name: { companyId, serviceId, webhookId } }
}

async function loadAccountKeys(read: Read, rows: readonly EndpointRow[]): Promise<ReadonlyMap<UserId, string | null>> {
  const keys = new Map<UserId, string | null>()
  for (const { companyId, encryptPayload } of rows) {
    if (!encryptPayload || keys.has(companyId)) continue
    keys.set(companyId, (await findAccount(read, companyId))?.publicKey ?? null)
  }
  return keys
}

function endpointOf(
  { name, url, format, authType, encryptPayload, secrets }: Webhook,
  accountKey: string | null,
): Endpoint {
  return { name, url, format, isEncrypted: encryptPayload, accountKey, auth: authOf(authType, secrets) }
}

/** Null when the needed secrets cannot be opened. */
function authOf(authType: Webhook['authType'], secrets: EndpointSecrets | null): EndpointAuth | null {
  if (authType === 'none') return { type: 'none' }
  if (secrets === null) return null
  const { values, earlier } = secrets
  const secret = (name: SecretName) => {
    const value = values[name]
    if (value === null) throw new Error(`webhook with auth_type ${authType} has no ${name}`)
    return value
  }
  switch (authType) {
    case 'hmac':
      return { type: 'hmac', secret: secret('hmac_secret'), earlier }
    case 'bearer':
      return { type: 'bearer', token: secret('auth_token') }
    case 'basic':
      return { type: 'basic', username: secret('auth_username'), password: secret('auth_password') }
    case 'header':
      return { type: 'header', name: secret('auth_header_name'), value: secret('auth_header_value') }
  }
}
