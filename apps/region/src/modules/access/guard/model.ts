import type { ClientKind, ServiceId, UserId } from '@sealpost/kernel'
import type { DelegateRole, Level } from '@sealpost/protocol'
import type { CallingClient } from '../../../platform/caller.ts'

/** A client of this region, as the gates read it. */
export interface ClientState extends CallingClient {
  readonly kind: ClientKind
  readonly epoch: number
}

/** An account of this region, as the gates read it. */
export interface AccountState {
  readonly id: UserId
  readonly userType: 'person' | 'company'
  readonly level: Level
}

/** A delegate of a company of this region, as the gates read it. */
export interface DelegateState {
  readonly role: DelegateRole
  readonly services: readonly ServiceId[]
}
