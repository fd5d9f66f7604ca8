import type { AccessClaims } from '@sealpost/access-token'
import type { ClientKind } from '@sealpost/kernel'
import type { CallerKind } from '@sealpost/protocol'
import type { ClientState } from './guard/index.ts'

/** Who makes a call: a token's claims and, when the account lives here, what this region knows of its client. */
export interface Caller {
  readonly claims: AccessClaims
  readonly kind: CallerKind
  /** Null when another region is the home; `checkHome` has refused the call before a route can see that. */
  readonly client: ClientState | null
}

const KIND_OF_CLIENT = {
  svc: 'service_client',
  acct: 'account_client',
  idw: 'signin_app',
} as const satisfies Record<ClientKind, CallerKind>

const KIND_OF_APP = { portal_web: 'portal', person_app: 'person' } as const satisfies Record<string, CallerKind>

/** First-party tokens name the app they were made for; every other client id tells its kind by its prefix. */
export function kindOfClient(clientId: string): CallerKind | null {
  if (clientId === 'portal_web' || clientId === 'person_app') return KIND_OF_APP[clientId]
  const prefix = clientId.slice(0, clientId.indexOf('_'))
  return prefix === 'svc' || prefix === 'acct' || prefix === 'idw' ? KIND_OF_CLIENT[prefix] : null
}

/** The client of a caller that passed the gates of a machine-client route. */
export function clientOf(caller: Caller): ClientState {
  if (caller.client === null) throw new Error('a route was reached without a client that lives here')
  return caller.client
}
