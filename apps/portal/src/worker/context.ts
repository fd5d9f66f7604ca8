import type { AccountClient, ServiceKey } from '@sealpost/sdk'
import type { OpenAccount as SessionAccount, SessionClient, SessionContext } from '@sealpost/session/worker'
import type { Topic } from './topic.ts'

/** What the session needs is that of the signed-in account, also while it acts for another company. */
export interface PortalClient extends SessionClient {
  /** The account that is signed in. */
  readonly own: AccountClient
  /** The company that is worked for: the account itself, or one that it is a delegate of. */
  readonly company: AccountClient
  /** The id of that other company. */
  readonly actingFor: string | null
  /** Null for the account itself. */
  actFor(companyId: string | null): void
}

export interface OpenAccount extends SessionAccount {
  readonly client: PortalClient
}

/** The key of one service, which opens what its customers have given. It cannot be exported. */
export interface OpenServiceKey {
  readonly serviceId: string
  readonly key: ServiceKey
}

/** First argument of every command. */
export interface PortalContext extends SessionContext<OpenAccount> {
  changed(...topics: readonly Topic[]): void
  /** Gone when the account is locked. */
  serviceKey: OpenServiceKey | null
}
