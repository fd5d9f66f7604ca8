import type { AccessClaims } from '@sealpost/access-token'
import { parseUuid, type RegionCode, type UserId } from '@sealpost/kernel'
import { refuse } from '@sealpost/protocol'
import type { Caller } from '../../caller.ts'
import { type Bearer, bearerOf } from './bearer.ts'
import type { AccountState, ClientState, DelegateState, Guard } from './guard/index.ts'
import type { Home } from './home.ts'

export interface IdentifyNeeds {
  readonly region: RegionCode
  readonly guard: Guard
  raiseEpoch(client: ClientState, epoch: number): Promise<void>
  homeOf(claims: AccessClaims): Promise<Home>
}

type Answer<T> = T | Promise<T>

/** Whose token this is. Whoever lives here is served, whatever the token says of its home. */
export function identify(needs: IdentifyNeeds, claims: AccessClaims): Answer<Caller> {
  return whenKnown(needs.guard.isRevoked(claims.sessionId), (isRevoked) => {
    const bearer = bearerOf(claims)
    if (isRevoked || bearer === null) throw refuse('auth.token_invalid')
    switch (bearer.kind) {
      case 'service_client':
      case 'account_client':
      case 'signin_app':
        return identifyClient(needs, claims, bearer.kind)
      case 'portal':
      case 'person':
        return identifyUser(needs, claims, bearer)
      case 'delegate':
        return identifyDelegate(needs, claims, bearer)
    }
  })
}

function identifyClient(needs: IdentifyNeeds, claims: AccessClaims, kind: Caller['kind']): Answer<Caller> {
  return whenKnown(needs.guard.findClient(claims.clientId), (client) => {
    if (client === null) return leave(needs, claims)
    if (client.epoch > claims.epoch) throw refuse('auth.token_invalid')
    return whenKnown(atEpoch(needs, client, claims.epoch), (current) => {
      const { companyId } = current
      const userId = parseUuid<UserId>(claims.subject) ?? companyId
      const admit = ({ level }: AccountState): Caller => ({
        ...NOBODY_DELEGATED,
        claims,
        kind,
        accountId: companyId,
        userId,
        client: current,
        level,
      })
      return whenKnown(mayStandBehind(needs, kind, current, userId), (isLet) => {
        if (!isLet) throw refuse('auth.token_invalid')
        return withAccount(needs, claims, companyId, admit)
      })
    })
  })
}

/** A data client's token that a delegate obtained is good for as long as they are let into that service. */
function mayStandBehind(
  { guard }: IdentifyNeeds,
  kind: Caller['kind'],
  { companyId, serviceId }: ClientState,
  userId: UserId,
): Answer<boolean> {
  if (kind !== 'service_client' || userId === companyId) return true
  return whenKnown(
    guard.findDelegate(companyId, userId),
    (delegate) => serviceId !== null && delegate?.services.includes(serviceId) === true,
  )
}

function identifyUser(
  needs: IdentifyNeeds,
  claims: AccessClaims,
  { kind, accountId }: Bearer & { readonly kind: 'portal' | 'person' },
): Answer<Caller> {
  return withAccount(needs, claims, accountId, ({ level, userType }) => {
    if (userType !== claims.userType) throw refuse('auth.token_invalid')
    return { ...NOBODY_DELEGATED, claims, kind, accountId, userId: accountId, client: null, level }
  })
}

function identifyDelegate(
  needs: IdentifyNeeds,
  claims: AccessClaims,
  { kind, accountId, userId }: Bearer & { readonly kind: 'delegate' },
): Answer<Caller> {
  return withAccount(needs, claims, accountId, ({ level }) =>
    whenKnown(needs.guard.findDelegate(accountId, userId), (delegate: DelegateState | null) => {
      if (delegate === null) throw refuse('auth.token_invalid')
      const { role, services } = delegate
      return { claims, kind, accountId, userId, client: null, level, role, services }
    }),
  )
}

const NOBODY_DELEGATED = { role: null, services: null } as const

function withAccount(
  needs: IdentifyNeeds,
  claims: AccessClaims,
  id: UserId,
  admit: (account: AccountState) => Answer<Caller>,
): Answer<Caller> {
  return whenKnown(needs.guard.findAccount(id), (account) => (account === null ? leave(needs, claims) : admit(account)))
}

/**
 * The directory signed an epoch that we have not heard of: a revocation was cut off half-way, or this database was
 * restored. Its word is good, so the older tokens end here, too.
 */
function atEpoch(needs: IdentifyNeeds, client: ClientState, epoch: number): Answer<ClientState> {
  return client.epoch === epoch ? client : catchUp(needs, client, epoch)
}

async function catchUp(needs: IdentifyNeeds, client: ClientState, epoch: number): Promise<ClientState> {
  await needs.raiseEpoch(client, epoch)
  return { ...client, epoch }
}

/** For somebody unknown here: sent home if there is another one, else the token outlived its account or client. */
async function leave(needs: IdentifyNeeds, claims: AccessClaims): Promise<never> {
  const home = await needs.homeOf(claims)
  if (home.region === needs.region) throw refuse('auth.token_invalid')
  throw refuse('region.rebase_required', { api_url: home.apiUrl })
}

/** Goes on at once when a value is there already: a remembered caller must not cost a turn of the event loop. */
export function whenKnown<A, B>(value: A | Promise<A>, next: (value: A) => B | Promise<B>): B | Promise<B> {
  return value instanceof Promise ? value.then(next) : next(value)
}
