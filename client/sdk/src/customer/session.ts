import type { AccountKey } from '../keys/private-keys.ts'
import type { PublicKey } from '../keys/public-key.ts'
import type { CallOptions } from '../options.ts'
import type { Send } from '../send.ts'
import type { ReadAccountAnswer } from '../shapes.generated.ts'
import type { ReadStream } from '../streamed.ts'
import type { FieldTypes } from '../values/field-types.ts'

/** Shared by all parts of a customer's client. */
export interface CustomerSession {
  readonly readStream: ReadStream
  readonly send: Send
  types(options?: CallOptions): Promise<FieldTypes>
  /** The account; read once. */
  me(options?: CallOptions): Promise<ReadAccountAnswer>
  /** Seals to the account's own key. */
  own(options?: CallOptions): Promise<PublicKey>
  /** Seals to a service; its key is pinned. */
  service(serviceId: string, publicKey: string): Promise<PublicKey>
  /** The private key of the account; throws when none was given. */
  key(): Promise<AccountKey>
}
