import { refusalSentences } from '@sealpost/crypto'

/** The reason why sealing or opening failed. */
export type SealingRefusal =
  | 'damaged'
  | 'not_a_key_file'
  | 'not_a_key_wrap'
  | 'not_a_private_key'
  | 'not_a_public_key'
  | 'not_a_wrapper'
  | 'not_text'
  | 'too_costly'
  | 'too_weak'
  | 'unsupported_protection'
  | 'wrong_key'
  | 'wrong_passphrase'

/** A key or a sealed value could not be used. Switch on `refusal`; the message says what to do. */
export class SealingError extends Error {
  override readonly name = 'SealingError'
  readonly refusal: SealingRefusal

  constructor(refusal: SealingRefusal) {
    super(refusalSentences[refusal])
    this.refusal = refusal
  }
}
