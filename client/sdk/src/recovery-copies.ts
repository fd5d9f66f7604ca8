import type { CallOptions } from './options.ts'
import { everyItem, pageQuery } from './pages.ts'
import {
  listRecoveryCopies,
  openRecoveryCopy,
  readRecoveryKey,
  requestRecoveryCode,
  storeRecoveryCopy,
} from './routes.generated.ts'
import type { Send } from './send.ts'
import type {
  ListRecoveryCopiesAnswer,
  OpenRecoveryCopyAnswer,
  OpenRecoveryCopyBody,
  ReadRecoveryKeyAnswer,
  RequestRecoveryCodeAnswer,
  StoreRecoveryCopyAnswer,
  StoreRecoveryCopyBody,
} from './shapes.generated.ts'

export type RecoveryCopyRecord = ListRecoveryCopiesAnswer['items'][number]

/** Storing and listing need `service_management` or `oauth_apps`; opening needs a portal login, the password and a mail. */
export class RecoveryCopies {
  readonly #send: Send

  constructor(send: Send) {
    this.#send = send
  }

  /** The public key that copies are sealed to. */
  readKey(options?: CallOptions): Promise<ReadRecoveryKeyAnswer> {
    return this.#send(readRecoveryKey, {}, options)
  }

  /** All copies, oldest first, without the sealed secrets. */
  list(options?: CallOptions): AsyncGenerator<RecoveryCopyRecord, void, undefined> {
    return everyItem((cursor) => this.#send(listRecoveryCopies, { query: pageQuery(cursor) }, options))
  }

  /** Replaces an older copy of the same secret. */
  store(copy: StoreRecoveryCopyBody, options?: CallOptions): Promise<StoreRecoveryCopyAnswer> {
    return this.#send(storeRecoveryCopy, { body: copy }, options)
  }

  /** Mails the code that `open` needs. */
  requestCode(options?: CallOptions): Promise<RequestRecoveryCodeAnswer> {
    return this.#send(requestRecoveryCode, { body: {} }, options)
  }

  /** The sealed secret and the wrapped key that opens it; both are opened on the device that has the password. */
  open(proof: OpenRecoveryCopyBody, options?: CallOptions): Promise<OpenRecoveryCopyAnswer> {
    return this.#send(openRecoveryCopy, { body: proof }, options)
  }
}
