import type { UserId } from '@sealpost/kernel'

/** `off` when the account has no second factor. */
export type SecondFactorVerdict = 'passed' | 'off' | 'missing' | 'wrong'

/** Judges the one-time code of a login whose verifier was right; a code that passes is used up. */
export type CheckSecondFactor = (userId: UserId, otp: string | null) => Promise<SecondFactorVerdict>
