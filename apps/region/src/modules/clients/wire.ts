import { formatInstant, type Secret } from '@sealpost/kernel'
import { grantTypesOf } from '@sealpost/protocol'
import type { Client, CreatedClient, RegeneratedSecret, SigninApp } from './model.ts'

export function accountClientToWire(client: Client) {
  return { ...accountClientMembers(client), created_at: formatInstant(client.createdAt) }
}

export function newAccountClientToWire({ client, secret }: CreatedClient) {
  return { ...accountClientMembers(client), client_secret: revealed(secret) }
}

function accountClientMembers({ clientId, name, purpose, capabilities, redirectUris }: Client) {
  return {
    client_id: clientId,
    name,
    purpose,
    capabilities: [...capabilities],
    redirect_uri: redirectUris[0] ?? null,
  }
}

export function dataClientToWire({ clientId, redirectUris }: Client) {
  return {
    client_id: clientId,
    grant_types: [...grantTypesOf('svc', redirectUris)],
    redirect_uri: redirectUris[0] ?? null,
  }
}

export function newDataClientToWire({ client, secret }: CreatedClient) {
  return { ...dataClientToWire(client), client_secret: revealed(secret) }
}

export function appToWire({ client, settings }: SigninApp) {
  return {
    client_id: client.clientId,
    name: client.name,
    redirect_uris: [...client.redirectUris],
    service_id: client.serviceId,
    confidential: client.isConfidential,
    detached: client.allowsDetached,
    require_2fa: settings.requireTwoFactor,
    claims_delivery: settings.claimsDelivery,
    claims: [...settings.claims],
    public_key: settings.publicKey,
    created_at: formatInstant(client.createdAt),
  }
}

export function appWithKeyToWire(app: SigninApp) {
  return { ...appToWire(app), encrypted_private_key: app.settings.encryptedPrivateKey }
}

export function newAppToWire(app: SigninApp, secret: Secret<string> | null) {
  return { ...appToWire(app), client_secret: revealed(secret) }
}

export function secretToWire({ clientId, secret }: RegeneratedSecret) {
  return { client_id: clientId, client_secret: revealed(secret) }
}

function revealed(secret: Secret<string> | null): string | null {
  return secret?.reveal() ?? null
}
