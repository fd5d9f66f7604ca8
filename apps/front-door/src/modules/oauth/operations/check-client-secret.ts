import type { ClientId, Secret } from '@sealpost/kernel'
import type { Platform } from '../../../platform/module.ts'
import { hashSecret, matchesSecret, replaceSecretHash, type SecretHash } from '../../directory/index.ts'
import type { ClientFacts } from '../model.ts'

/** Whether the secret is the client's. */
export async function checkClientSecret(
  platform: Platform,
  { clientId, secret }: Pick<ClientFacts, 'clientId' | 'secret'>,
  presented: Secret<string>,
): Promise<boolean> {
  const pepper = platform.settings.SECRET_PEPPER
  if (secret === null || !matchesSecret(pepper, secret, presented)) return false
  if (secret.keyId !== pepper.active.id) await renewHash(platform, clientId, secret, presented)
  return true
}

/** The secret is in clear only during this request: its hash must move to the active key before the old key is removed. */
async function renewHash(
  { database, settings, telemetry }: Platform,
  clientId: ClientId,
  old: SecretHash,
  presented: Secret<string>,
): Promise<void> {
  const renewed = hashSecret(settings.SECRET_PEPPER, presented)
  try {
    await database.transaction((tx) => replaceSecretHash(tx, clientId, old, renewed))
  } catch (error) {
    // The secret was right: the caller gets its token, and the next request tries again.
    telemetry.log.warn({ err: error, client_id: clientId }, 'a client secret could not be hashed under the active key')
  }
}
