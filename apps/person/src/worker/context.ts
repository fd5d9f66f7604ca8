import type { AuthorizationRecord, AuthorizationRequest, CustomerClient } from '@sealpost/sdk'
import type { OpenAccount as SessionAccount, SessionContext } from '@sealpost/session/worker'
import type { Outbox } from './outbox.ts'
import type { OwnSealing } from './own-sealing.ts'
import type { Topic } from './topic.ts'

export type { Topic } from './topic.ts'

export interface OpenAccount extends SessionAccount {
  readonly client: CustomerClient
  readonly own: OwnSealing
  readonly outbox: Outbox
}

/** What the consent page shows. */
export interface ShownConsent {
  readonly readId: string
  readonly request: AuthorizationRequest
  readonly record: AuthorizationRecord
}

/** First argument of every command. */
export interface PersonContext extends SessionContext<OpenAccount> {
  changed(...topics: readonly Topic[]): void
  consent: ShownConsent | null
}
