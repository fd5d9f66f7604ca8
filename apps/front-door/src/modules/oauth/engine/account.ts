import { type GrantConsent, mayAuthorizeAsk, readConsent } from '@sealpost/protocol'
import type { Account, KoaContextWithOIDC } from 'oidc-provider'
import type { Platform } from '../../../platform/module.ts'
import { openParty } from '../../directory/index.ts'
import type { ClientFacts } from '../model.ts'
import { requireEntitled } from '../rules/entitlement.ts'
import { factsOf } from './storage.ts'

/** The consent of the grant behind this request; null when the request has no user. */
export function issuedConsent({ oidc }: KoaContextWithOIDC): GrantConsent | null {
  const grant = oidc.entities.Grant
  return grant === undefined ? null : readConsent(grant)
}

/**
 * The user behind a code or refresh token; undefined when the grant is no longer valid, because the client's tokens were
 * revoked or the company removed this user. Clients know users by share code; access tokens take the user id from the
 * grant.
 */
export async function findGrantAccount(platform: Platform, ctx: KoaContextWithOIDC): Promise<Account | undefined> {
  const facts = factsOf(platform, ctx.oidc)
  const userId = ctx.oidc.entities.Grant?.accountId
  const consent = issuedConsent(ctx)
  // Before the refresh token is consumed: the company can use it again when its level includes the client.
  requireEntitled(facts, platform.clock.now())
  if (consent === null || userId === undefined || consent.epoch !== facts.epoch) return undefined
  if (!(await isStillAllowed(platform, facts, userId))) return undefined
  const { share_code: sub, name, email, email_verified } = consent
  return {
    accountId: sub,
    claims: () => ({ sub, ...(name === null ? {} : { name }), ...(email === null ? {} : { email }), email_verified }),
  }
}

/** Opens the region of the client's company in every case: while it is out of order, no token for it is issued. */
async function isStillAllowed(
  platform: Platform,
  { kind, userId: company, serviceId, region }: ClientFacts,
  userId: string,
): Promise<boolean> {
  const to = await openParty(platform, region)
  if (kind !== 'svc' || serviceId === null || userId === company) return true
  const body = { company_id: company, service_id: serviceId, user_id: userId }
  const { is_allowed: isAllowed } = await platform.bus.ask(mayAuthorizeAsk, { to, body })
  return isAllowed
}
