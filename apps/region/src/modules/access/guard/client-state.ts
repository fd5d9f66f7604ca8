import type { ClientKind, ServiceId, UserId } from '@sealpost/kernel'
import type { DelegateRole, Level } from '@sealpost/protocol'
import type { CallingClient } from '../../../caller.ts'

/** What the gates know of a client that lives in this region. */
export interface ClientState extends CallingClient {
  readonly kind: ClientKind
  readonly epoch: number
}

/** What the gates know of an account that lives in this region. */
export interface AccountState {
  readonly id: UserId
  readonly userType: 'person' | 'company'
  readonly level: Level
}

/** What the gates know of a user who was let into a company that lives in this region. */
export interface DelegateState {
  readonly role: DelegateRole
  readonly services: readonly ServiceId[]
}
