import { instant, type Keyring, Secret, type WebhookId } from '@sealpost/kernel'
import { openUnder, resealUnder, type Sealed, SealingError, sealUnder } from '@sealpost/sealing'
import { type EndpointSecrets, SECRET_NAMES, type SecretName, type SecretValues } from '../model.ts'

/** Seals all secrets of a webhook together, bound to its id. */
export function sealSecrets(dataKey: Keyring, id: WebhookId, { values, earlier }: EndpointSecrets): Sealed {
  const kept: Kept = {}
  for (const name of SECRET_NAMES) {
    const secret = values[name]
    if (secret !== null) kept[name] = secret.reveal()
  }
  kept.earlier = earlier.map(({ secret, validUntil }) => ({ secret: secret.reveal(), validUntil }))
  return sealUnder(dataKey, JSON.stringify(kept), contextOf(id))
}

/** Null when they cannot be opened: a webhook with a missing key must not block the others. */
export function openSecrets(dataKey: Keyring, id: WebhookId, sealed: Sealed): EndpointSecrets | null {
  const text = openText(dataKey, id, sealed)
  if (text === null) return null
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only `sealSecrets` seals in this context
  const kept = JSON.parse(text) as Kept
  const earlier = kept.earlier ?? []
  return {
    values: secretValues((name) => (kept[name] === undefined ? null : new Secret(kept[name]))),
    earlier: earlier.map(({ secret, validUntil }) => ({ secret: new Secret(secret), validUntil: instant(validUntil) })),
  }
}

/** Seals again under the active key; null when it is the same. Throws a `SealingError` when they cannot be opened. */
export function resealSecrets(dataKey: Keyring, id: WebhookId, sealed: Sealed): Sealed | null {
  return resealUnder(dataKey, sealed, contextOf(id))
}

export function secretValues(valueOf: (name: SecretName) => Secret<string> | null): SecretValues {
  return {
    hmac_secret: valueOf('hmac_secret'),
    auth_token: valueOf('auth_token'),
    auth_username: valueOf('auth_username'),
    auth_password: valueOf('auth_password'),
    auth_header_name: valueOf('auth_header_name'),
    auth_header_value: valueOf('auth_header_value'),
  }
}

type Kept = { [name in SecretName]?: string } & { earlier?: { secret: string; validUntil: number }[] }

function openText(dataKey: Keyring, id: WebhookId, sealed: Sealed): string | null {
  try {
    return openUnder(dataKey, sealed, contextOf(id)).toString()
  } catch (error) {
    if (error instanceof SealingError) return null
    throw error
  }
}

function contextOf(id: WebhookId): string {
  return `webhooks.endpoint:${id}`
}
