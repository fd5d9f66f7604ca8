import { type CryptoRefusal, refusalSentences } from '@sealpost/crypto'
import type { Result } from '@sealpost/kernel'

/** A key or a password could not be used. Switch on `refusal`; the message says what to do. */
export class VaultError extends Error {
  override readonly name = 'VaultError'
  readonly refusal: CryptoRefusal

  constructor(refusal: CryptoRefusal) {
    super(refusalSentences[refusal])
    this.refusal = refusal
  }
}

export function orThrow<T>(result: Result<T, CryptoRefusal>): T {
  if (!result.ok) throw new VaultError(result.refusal)
  return result.value
}
