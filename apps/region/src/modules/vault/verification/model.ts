import type { AttestationMethod, Registry } from '@sealpost/field-types'
import type { FieldId, Instant, UserId } from '@sealpost/kernel'
import type { Tx } from '@sealpost/postgres'
import type { Account } from '../../account/index.ts'

/** A verification that was begun. */
export interface Verification {
  readonly accountId: UserId
  readonly fieldId: FieldId
  readonly id: string
  readonly provider: string
  readonly fieldType: string
  /** Null where a code is mailed; then the three members below are set. */
  readonly challenge: string | null
  readonly keyId: string | null
  readonly hash: Uint8Array | null
  /** The address that the code was mailed to. */
  readonly email: string | null
  /** The salted hash of the text that the code is about, where that is not the address; both or none. */
  readonly textSalt: string | null
  readonly textHash: string | null
  readonly tries: number
  readonly expiresAt: Instant
  readonly confirmedAt: Instant | null
}

export type VerificationName = Pick<Verification, 'accountId' | 'fieldId' | 'id'>

/**
 * Verifies values together with the device. The platform never sees the verified text: it gets only the salted hash.
 */
export interface VerificationProvider {
  readonly name: string
  readonly method: AttestationMethod
  /** Why it cannot verify fields of this type; null when it can. */
  refusal(registry: Registry, type: string): string | null
  /** Runs in the transaction that stores the verification; mails are queued there. */
  begin(tx: Tx, begun: BeginInput): Promise<Beginning>
  /** Null when the proof is wrong. */
  prove(verification: Verification, proof: Proof, now: Instant): Promise<Proven | null>
}

export interface BeginInput {
  readonly id: string
  readonly account: Account
  /** As the device sent it; for `platform_sms` only. */
  readonly phone: string | null
}

export interface Beginning extends Pick<Verification, 'challenge' | 'expiresAt'> {
  readonly providerUrl: string | null
  /** Set where a code is sent. */
  readonly sent: SentCode | null
}

export type SentCode = { readonly keyId: string; readonly hash: Uint8Array } & (
  | { readonly email: string }
  | { readonly textSalt: string; readonly textHash: string }
)

export interface BegunVerification extends Pick<Verification, 'id' | 'provider' | 'challenge' | 'expiresAt'> {
  readonly providerUrl: string | null
}

export interface Confirmation extends VerificationName {
  readonly proof: Proof
}

export interface Proof {
  readonly code?: string | undefined
  readonly statement?: string | undefined
}

/** The salted hash of the verified text, and when it was verified. */
export interface Proven {
  readonly hash: string
  readonly salt: string
  readonly verifiedAt: Instant
  readonly expiresAt: Instant | null
  /** As the provider signed it. */
  readonly statement?: string
}
