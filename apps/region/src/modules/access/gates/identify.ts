import type { AccessClaims } from '@sealpost/access-token'
import { type ClientId, parseUuid, type RegionCode, type UserId } from '@sealpost/kernel'
import { refuse } from '@sealpost/protocol'
import type { Caller } from '../../../platform/caller.ts'
import type { AccountState, ClientState, DelegateState, Guard } from '../guard/index.ts'
import { COMMAND_PATTERNS } from '../rules/capabilities.ts'
import { type Bearer, bearerOf } from './bearer.ts'
import { checkHome, type Home } from './home.ts'

export interface IdentifyOptions {
  readonly region: RegionCode
  readonly guard: Guard
  raiseEpoch(client: ClientState, epoch: number): Promise<void>
  readonly homeOf: (claims: AccessClaims) => Promise<Home>
}

type Answer<T> = T | Promise<T>

/** Finds the caller of a token. A caller whose account lives here is served, whatever region the token names. */
export function identify(options: IdentifyOptions, claims: AccessClaims): Answer<Caller> {
  return whenKnown(options.guard.isRevoked(claims.sessionId), (isRevoked) => {
    const bearer = bearerOf(claims)
    if (isRevoked || bearer === null) throw refuse('auth.token_invalid')
    switch (bearer.kind) {
      case 'service_client':
      case 'account_client':
      case 'signin_app':
        return identifyClient(options, claims, bearer.kind)
      case 'portal':
      case 'person':
        return identifyUser(options, claims, { kind: bearer.kind, accountId: bearer.accountId })
      case 'command':
        return identifyCommand(options, claims, bearer.accountId)
      case 'delegate':
        return identifyDelegate(options, claims, bearer)
    }
  })
}

function identifyClient(options: IdentifyOptions, claims: AccessClaims, kind: Caller['kind']): Answer<Caller> {
  return whenKnown(options.guard.findClient(claims.clientId), (client) => {
    if (client === null) return checkHome(options, claims)
    if (client.epoch > claims.epoch) throw refuse('auth.token_invalid')
    return whenKnown(atEpoch(options, client, claims.epoch), (current) => {
      const { companyId } = current
      const userId = parseUuid<UserId>(claims.subject) ?? companyId
      const admit = ({ level }: AccountState): Caller => ({
        ...NO_DELEGATE,
        claims,
        kind,
        accountId: companyId,
        userId,
        client: current,
        level,
      })
      return whenKnown(mayUseClient(options, kind, current, userId), (isAllowed) => {
        if (!isAllowed) throw refuse('auth.token_invalid')
        return withAccount(options, claims, companyId, admit)
      })
    })
  })
}

/** A data client's token that a delegate obtained is valid while the delegate has access to that service. */
function mayUseClient(
  { guard }: IdentifyOptions,
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
  options: IdentifyOptions,
  claims: AccessClaims,
  { kind, accountId }: { readonly kind: 'portal' | 'person'; readonly accountId: UserId },
): Answer<Caller> {
  return withAccount(options, claims, accountId, ({ level, userType }) => {
    if (userType !== claims.userType) throw refuse('auth.token_invalid')
    return { ...NO_DELEGATE, claims, kind, accountId, userId: accountId, client: null, level }
  })
}

/** The command is an account client with fixed patterns and no row. Its id here names the company, so that companies share nothing. */
function identifyCommand(options: IdentifyOptions, claims: AccessClaims, accountId: UserId): Answer<Caller> {
  return withAccount(options, claims, accountId, ({ level, userType }) => {
    if (userType !== 'company') throw refuse('auth.token_invalid')
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- no machine client has an id of this form
    const clientId = `${claims.clientId}:${accountId}` as ClientId
    const client = { clientId, companyId: accountId, serviceId: null, patterns: COMMAND_PATTERNS }
    return { ...NO_DELEGATE, claims, kind: 'account_client', accountId, userId: accountId, client, level }
  })
}

function identifyDelegate(
  options: IdentifyOptions,
  claims: AccessClaims,
  { kind, accountId, userId }: Bearer & { readonly kind: 'delegate' },
): Answer<Caller> {
  return withAccount(options, claims, accountId, ({ level }) =>
    whenKnown(options.guard.findDelegate(accountId, userId), (delegate: DelegateState | null) => {
      if (delegate === null) throw refuse('auth.token_invalid')
      const { role, services } = delegate
      return { claims, kind, accountId, userId, client: null, level, role, services }
    }),
  )
}

const NO_DELEGATE = { role: null, services: null } as const

function withAccount(
  options: IdentifyOptions,
  claims: AccessClaims,
  id: UserId,
  admit: (account: AccountState) => Answer<Caller>,
): Answer<Caller> {
  return whenKnown(options.guard.findAccount(id), (account) =>
    account === null ? checkHome(options, claims) : admit(account),
  )
}

/**
 * The token has a newer epoch than the row: a revocation was interrupted, or this database was restored. The directory
 * signed it, so the older tokens end here as well.
 */
function atEpoch(options: IdentifyOptions, client: ClientState, epoch: number): Answer<ClientState> {
  return client.epoch === epoch ? client : catchUp(options, client, epoch)
}

async function catchUp(options: IdentifyOptions, client: ClientState, epoch: number): Promise<ClientState> {
  await options.raiseEpoch(client, epoch)
  return { ...client, epoch }
}

/** Synchronous if the value is known: a cached caller must not cost a turn of the event loop. */
export function whenKnown<A, B>(value: A | Promise<A>, next: (value: A) => B | Promise<B>): B | Promise<B> {
  return value instanceof Promise ? value.then(next) : next(value)
}
