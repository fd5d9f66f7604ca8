import type { Clock, Ids, RegionCode, UserId } from '@sealpost/kernel'
import type { GrantConsent } from '@sealpost/protocol'
import type Provider from 'oidc-provider'
import { API_RESOURCE } from '../oauth/resource.ts'
import type { AuthorizeRequest } from './request.ts'

export interface IssueNeeds {
  readonly provider: Provider
  readonly clock: Clock
  readonly ids: Ids
}

export interface NewGrant {
  readonly userId: UserId
  /** Of the user: where the grant will rest. */
  readonly home: RegionCode
  readonly request: AuthorizeRequest
  readonly consent: Omit<GrantConsent, 'type' | 'epoch' | 'used_in'>
}

/** What a code is bound to; the part of a request that outlives it. */
export interface CodeTerms {
  readonly userId: string
  readonly clientId: string
  readonly redirectUri: string
  readonly scope: string
  readonly challenge: string | null
  readonly nonce: string | null
  readonly authTime: number
}

/** Writes down what the user agreed to; answers the id of the grant. */
export async function openGrant(
  { provider, ids }: IssueNeeds,
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

export function termsOf({ clock }: IssueNeeds, userId: UserId, request: AuthorizeRequest): CodeTerms {
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

/** A code under a grant; it starts to run now. */
export async function makeCode({ provider }: IssueNeeds, grantId: string, terms: CodeTerms): Promise<string> {
  const client = await provider.Client.find(terms.clientId)
  if (client === undefined) throw new Error('the client is gone')
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
