import type { AttestationMethod, Registry } from '@sealpost/field-types'
import type { Instant } from '@sealpost/kernel'
import type { Tx } from '@sealpost/postgres'
import type { Account } from '../../account/index.ts'
import type { Verification } from '../store/verifications.ts'

/**
 * Somebody who can tell that a value is true. Whatever is verified is between the provider and the device: what comes
 * here is the salted hash of it.
 */
export interface VerificationProvider {
  readonly name: string
  readonly method: AttestationMethod
  /** Why it cannot verify fields of this type; null when it can. */
  refusal(registry: Registry, type: string): string | null
  /** In the transaction that writes the verification down; what it sends is queued there. */
  begin(tx: Tx, begun: { readonly id: string; readonly account: Account }): Promise<Beginning>
  /** Null when the proof is not one. */
  prove(verification: Verification, proof: Proof, now: Instant): Promise<Proven | null>
}

export interface Beginning extends Pick<Verification, 'challenge' | 'keyId' | 'hash' | 'email' | 'expiresAt'> {
  readonly providerUrl: string | null
}

export interface Proof {
  readonly code?: string | undefined
  readonly statement?: string | undefined
}

/** What was verified, as far as the platform may know. */
export interface Proven {
  readonly hash: string
  readonly salt: string
  readonly verifiedAt: Instant
  readonly expiresAt: Instant | null
}
