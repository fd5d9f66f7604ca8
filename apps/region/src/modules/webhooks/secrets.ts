import { instant, type Keyring, Secret, type WebhookId } from '@sealpost/kernel'
import { openUnder, resealUnder, type Sealed, sealUnder } from '@sealpost/sealing'
import { type EndpointSecrets, SECRET_NAMES, type SecretName, type SecretValues } from './endpoint.ts'

/** All secrets of one webhook rest in one seal, which opens for that webhook only. */
export function sealSecrets(dataKey: Keyring, id: WebhookId, { values, previous }: EndpointSecrets): Sealed {
  const kept: Kept = {}
  for (const name of SECRET_NAMES) {
    const secret = values[name]
    if (secret !== null) kept[name] = secret.reveal()
  }
  if (previous !== null) kept.previous = { secret: previous.secret.reveal(), validUntil: previous.validUntil }
  return sealUnder(dataKey, JSON.stringify(kept), contextOf(id))
}

export function openSecrets(dataKey: Keyring, id: WebhookId, sealed: Sealed): EndpointSecrets {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what opens was sealed above
  const kept = JSON.parse(openUnder(dataKey, sealed, contextOf(id)).toString()) as Kept
  return {
    values: secretValues((name) => (kept[name] === undefined ? null : new Secret(kept[name]))),
    previous:
      kept.previous === undefined
        ? null
        : { secret: new Secret(kept.previous.secret), validUntil: instant(kept.previous.validUntil) },
  }
}

/** The same under the active key; null when it already is. */
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

type Kept = { [name in SecretName]?: string } & { previous?: { secret: string; validUntil: number } }

function contextOf(id: WebhookId): string {
  return `webhooks.endpoint:${id}`
}
