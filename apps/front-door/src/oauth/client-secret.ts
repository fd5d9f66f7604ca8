import type { ClientId, Keyring, Secret } from '@sealpost/kernel'
import type { Database } from '@sealpost/postgres'
import type { Telemetry } from '@sealpost/telemetry'
import { replaceSecretHash } from '../directory/index.ts'
import type { ClientFacts } from './client-adapter.ts'
import { hashSecret, matchesSecret, type SecretHash } from './secret-hash.ts'

export interface ClientSecretNeeds {
  readonly database: Database
  readonly pepper: Keyring
  readonly telemetry: Telemetry
}

/** Whether the secret is the client's. */
export async function checkClientSecret(
  needs: ClientSecretNeeds,
  client: ClientFacts,
  presented: Secret<string>,
): Promise<boolean> {
  const { clientId, secret } = client
  if (secret === null || !matchesSecret(needs.pepper, secret, presented)) return false
  if (secret.keyId !== needs.pepper.active.id) await renewHash(needs, clientId, secret, presented)
  return true
}

/** Only here is the secret seen in clear, so only here can its hash leave an old key before that key leaves the ring. */
async function renewHash(
  { database, pepper, telemetry }: ClientSecretNeeds,
  clientId: ClientId,
  old: SecretHash,
  presented: Secret<string>,
): Promise<void> {
  const renewed = hashSecret(pepper, presented)
  try {
    await database.transaction((tx) => replaceSecretHash(tx, clientId, old, renewed))
  } catch (error) {
    // The secret was right: the caller gets its token, and the next request tries again.
    telemetry.log.warn({ err: error, client_id: clientId }, 'a client secret could not be hashed under the active key')
  }
}
