import type { RegionCode, UserId } from '@sealpost/kernel'
import type { GrantConsent } from '@sealpost/protocol'
import { API_RESOURCE } from '../../oauth/index.ts'
import type { Authorize, AuthorizeRequest, CodeTerms } from '../model.ts'

export interface NewGrant {
  readonly userId: UserId
  /** The home region of the user, which stores the grant. */
  readonly home: RegionCode
  readonly request: AuthorizeRequest
  readonly consent: Omit<GrantConsent, 'type' | 'epoch' | 'used_in'>
}

/** Stores what the user agreed to and returns the id of the grant. */
export async function openGrant(
  { provider, ids }: Authorize,
  { userId, home, request, consent }: NewGrant,
): Promise<string> {
  const { client, scope } = request
  const detail = { ...consent, type: 'urn:sealpost:consent', epoch: client.epoch, used_in: client.region }
  const grant = new provider.Grant({ clientId: client.clientId, accountId: userId, rar: [detail] })
  grant.jti = `${home}.${ids.uuid()}`
  if (scope !== '') {
    grant.addOIDCScope(scope)
    grant.addResourceScope(API_RESOURCE, scope)
  }
  return grant.save()
}

export function termsOf({ clock }: Authorize, userId: UserId, request: AuthorizeRequest): CodeTerms {
  const { client, redirectUri, scope, challenge, nonce } = request
  return {
    userId,
    clientId: client.clientId,
    redirectUri,
    scope,
    challenge,
    nonce,
    authTime: Math.floor(clock.now() / 1000),
  }
}

/** A code of the grant; its lifetime starts now. */
export async function makeCode({ provider }: Authorize, grantId: string, terms: CodeTerms): Promise<string> {
  const client = await provider.Client.find(terms.clientId)
  if (client === undefined) throw new Error(`client ${terms.clientId} does not exist any more`)
  const code = new provider.AuthorizationCode({
    client,
    grantId,
    accountId: terms.userId,
    gty: 'authorization_code',
    redirectUri: terms.redirectUri,
    scope: terms.scope,
    resource: API_RESOURCE,
    authTime: terms.authTime,
    ...(terms.challenge === null ? {} : { codeChallenge: terms.challenge, codeChallengeMethod: 'S256' }),
    ...(terms.nonce === null ? {} : { nonce: terms.nonce }),
  })
  return code.save()
}
