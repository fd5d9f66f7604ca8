import type { KeyPins } from '../keys/pins.ts'
import type { AccountKey } from '../keys/private-keys.ts'
import type { PublicKey } from '../keys/public-key.ts'
import type { CallOptions } from '../options.ts'
import type { Send } from '../send.ts'
import type { ReadAccountAnswer } from '../shapes.generated.ts'
import type { ReadStream } from '../streamed.ts'
import type { FieldTypes } from '../values/field-types.ts'

/**
 * Person: values are sealed to the own key. Company: they are plain text. The caller states it; a server that could would
 * get the values of a person in the clear.
 */
export type UserType = 'person' | 'company'

/** Shared by all parts of a customer's client. */
export interface CustomerSession {
  readonly userType: UserType
  readonly pins: KeyPins
  readonly now: () => number
  readonly readStream: ReadStream
  readonly send: Send
  types(options?: CallOptions): Promise<FieldTypes>
  /** The account; read once, and compared with what this side knows. */
  me(options?: CallOptions): Promise<ReadAccountAnswer>
  /** Seals to the account's own key, which follows from the private key. */
  own(options?: CallOptions): Promise<PublicKey>
  /** The private key of the account; throws when none was given. */
  key(): Promise<AccountKey>
  /** The private key of the account; null when none was given. */
  findKey(): Promise<AccountKey | null>
}
