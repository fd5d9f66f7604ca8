import type { UserId } from '@sealpost/kernel'
import type { Tx } from '@sealpost/postgres'
import type { Platform } from '../../platform/module.ts'
import type { AccountContext, AccountDirectory } from '../account/index.ts'

export interface LoginContext extends Platform {
  readonly account: AccountContext
  readonly directory: AccountDirectory
  readonly webAuthn: WebAuthnSite
  readonly checkSecondFactor: CheckSecondFactor
  readonly hooks: LoginHooks
}

/** The site that passkeys belong to: the registrable domain of the web apps, and the addresses they are served from. */
export interface WebAuthnSite {
  readonly rpId: string
  readonly origins: readonly string[]
}

/** `off` when the account has no second factor. */
export type SecondFactorVerdict = 'passed' | 'off' | 'missing' | 'wrong'

/**
 * Validates the one-time code of a login whose verifier matched, or of a signer. A code that passes is used up; `onPassed`
 * runs in the same transaction.
 */
export type CheckSecondFactor = (
  userId: UserId,
  otp: string | null,
  onPassed?: OnPassed,
) => Promise<SecondFactorVerdict>

export type OnPassed = (tx: Tx) => Promise<void>

/** Calls to the modules above. */
export interface LoginHooks {
  /** Ends the grants of the user; call the answer after the commit, it revokes their tokens everywhere. */
  endGrants(tx: Tx, userId: UserId): Promise<() => Promise<void>>
  /** In the transaction that removes a trusted device. */
  onDeviceRemoved(tx: Tx, userId: UserId, deviceId: string): Promise<void>
}
