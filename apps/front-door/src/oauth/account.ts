import type { Bus } from '@sealpost/bus'
import type { Clock } from '@sealpost/kernel'
import type { Database } from '@sealpost/postgres'
import { type GrantConsent, mayAuthorizeAsk, readConsent } from '@sealpost/protocol'
import type { Account, KoaContextWithOIDC } from 'oidc-provider'
import { type ClientFacts, factsOf } from './client-adapter.ts'
import { demandEntitled } from './entitlement.ts'
import { openRegion } from './grant-adapter.ts'

export interface GrantAccountNeeds {
  readonly bus: Pick<Bus, 'ask'>
  readonly database: Database
  readonly clock: Clock
}

/** What the user of the grant behind this request agreed to; null where no user stands behind it. */
export function issuedConsent({ oidc }: KoaContextWithOIDC): GrantConsent | null {
  const grant = oidc.entities.Grant
  return grant === undefined ? null : readConsent(grant)
}

/**
 * The user behind a code or refresh token, or nobody when the grant is no longer good: the client's tokens were all
 * revoked since, or the company no longer lets this user in. To a client users are known by their share code; the user id
 * stays on the grant, and access tokens take it from there.
 */
export async function findGrantAccount(
  needs: GrantAccountNeeds,
  ctx: KoaContextWithOIDC,
): Promise<Account | undefined> {
  const facts = factsOf(ctx.oidc.client)
  const userId = ctx.oidc.entities.Grant?.accountId
  const consent = issuedConsent(ctx)
  // A refresh token is not used up yet: the company keeps it for when its level includes the client again.
  demandEntitled(facts, needs.clock.now())
  if (consent === null || userId === undefined || consent.epoch !== facts.epoch) return undefined
  if (!(await isStillAllowed(needs, facts, userId))) return undefined
  const { share_code: sub, name, email, email_verified } = consent
  return {
    accountId: sub,
    claims: () => ({ sub, ...(name === null ? {} : { name }), ...(email === null ? {} : { email }), email_verified }),
  }
}

/** Tokens of a client are used where its company lives: while that is being rebuilt, none is given. */
async function isStillAllowed(
  needs: GrantAccountNeeds,
  { kind, userId: company, serviceId, region }: ClientFacts,
  userId: string,
): Promise<boolean> {
  const to = await openRegion(needs, region)
  if (kind !== 'svc' || serviceId === null || userId === company) return true
  const body = { company_id: company, service_id: serviceId, user_id: userId }
  const { is_allowed: isAllowed } = await needs.bus.ask(mayAuthorizeAsk, { to, body })
  return isAllowed
}
