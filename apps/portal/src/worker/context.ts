import type { AccountClient, ServiceKey } from '@sealpost/sdk'
import type { OpenAccount as SessionAccount, SessionClient, SessionContext } from '@sealpost/session/worker'
import type { Topic } from './topic.ts'

/** The client of the company, as the session needs it. */
export interface PortalClient extends SessionClient {
  readonly company: AccountClient
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
