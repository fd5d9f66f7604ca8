import type { Bytes } from '@sealpost/crypto'
import type { Secret } from '@sealpost/kernel'
import type { AuthorizationRecord, AuthorizationRequest, CustomerClient } from '@sealpost/sdk'
import type { KeptAccess, SessionCalls } from '@sealpost/session'
import { FailureError } from '@sealpost/ui/failure'
import type { AccountKeys, KdfParameters, Login } from '@sealpost/vault'
import type { DeviceStore } from './device-store.ts'
import type { Outbox } from './outbox.ts'
import type { OwnSealing } from './own-sealing.ts'
import type { Topic } from './topic.ts'

export type { Topic } from './topic.ts'

/** An account whose private key is in this worker. */
export interface OpenAccount {
  readonly accountId: string
  readonly email: string
  readonly displayName: string
  readonly client: CustomerClient
  /** Wrapped again when this device or the password changes. */
  readonly privateKey: Secret<Bytes>
  readonly publicKey: string
  readonly own: OwnSealing
  readonly outbox: Outbox
  /** After a login by password: proves the password once more. */
  readonly login: Login | null
  readonly recoveryCode: Secret<string> | null
  /** The password was proven later, by another session than the one that opened the account. */
  readonly isReproven: boolean
  /** Ends what runs in the background while the account is open. */
  readonly ending: AbortController
}

/** A registration between its form and the code of its mail. */
export interface PendingRegistration {
  readonly email: string
  readonly token: string
  readonly kdf: KdfParameters
  readonly login: Login
  readonly keys: AccountKeys
  readonly recoveryCode: Secret<string>
}

/** What the consent page shows. */
export interface ShownConsent {
  readonly readId: string
  readonly request: AuthorizationRequest
  readonly record: AuthorizationRecord
}

/** First argument of every command. */
export interface PersonContext {
  readonly frontDoorUrl: string
  readonly calls: SessionCalls
  readonly access: KeptAccess
  readonly store: DeviceStore
  /** Tells the pages to read again. */
  changed(...topics: readonly Topic[]): void
  open: OpenAccount | null
  pending: PendingRegistration | null
  consent: ShownConsent | null
}

export function requireOpen({ open }: PersonContext): OpenAccount {
  if (open !== null) return open
  throw new FailureError({ kind: 'locked' })
}
