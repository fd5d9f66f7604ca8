import { type KeyPins, pinKey } from './keys/pins.ts'
import type { CallOptions } from './options.ts'
import { everyItem, pageQuery } from './pages.ts'
import {
  changeDelegate,
  createDelegate,
  deleteDelegate,
  handOverServiceKey,
  listDelegates,
  readDelegate,
} from './routes.generated.ts'
import type { Send } from './send.ts'
import type {
  ChangeDelegateAnswer,
  ChangeDelegateBody,
  CreateDelegateAnswer,
  CreateDelegateBody,
  HandOverServiceKeyAnswer,
  ListDelegatesAnswer,
} from './shapes.generated.ts'

export type DelegateRecord = ListDelegatesAnswer['items'][number]

/** Account clients need the capability `delegate_management`. */
export class Delegates {
  readonly #send: Send
  readonly #pins: KeyPins

  constructor(send: Send, pins: KeyPins) {
    this.#send = send
    this.#pins = pins
  }

  /** All delegates, oldest first, read page by page. */
  list(options?: CallOptions): AsyncGenerator<DelegateRecord, void, undefined> {
    return everyItem((cursor) => this.#send(listDelegates, { query: pageQuery(cursor) }, options))
  }

  read(delegateId: string, options?: CallOptions): Promise<DelegateRecord> {
    return this.#send(readDelegate, { params: { id: delegateId } }, options)
  }

  /** The user is identified by share code, under which the key is pinned: passphrases will be sealed to it. */
  async create(delegate: CreateDelegateBody, options?: CallOptions): Promise<CreateDelegateAnswer> {
    const owner = `code:${delegate.share_code.trim().toUpperCase()}`
    // Missing pins are refused before the delegate exists.
    await this.#pins.get(owner)
    const made = await this.#send(createDelegate, { body: delegate }, options)
    if (made.public_key !== null) await pinKey(this.#pins, owner, made.public_key)
    return made
  }

  /**
   * Takes effect with the next call of the delegate. `services` are all that it may open from now on; the passphrase of a
   * service that is left out goes.
   */
  change(delegateId: string, change: ChangeDelegateBody, options?: CallOptions): Promise<ChangeDelegateAnswer> {
    return this.#send(changeDelegate, { params: { id: delegateId }, body: change }, options)
  }

  /** Takes effect at once: the next call of the delegate is refused. */
  delete(delegateId: string, options?: CallOptions): Promise<void> {
    return this.#send(deleteDelegate, { params: { id: delegateId } }, options)
  }

  /** `sealed`: the passphrase of the service, sealed to the `public_key` of the delegate. */
  handOverKey(
    delegateId: string,
    serviceId: string,
    sealed: string,
    options?: CallOptions,
  ): Promise<HandOverServiceKeyAnswer> {
    return this.#send(handOverServiceKey, { params: { id: delegateId, serviceId }, body: { sealed } }, options)
  }
}
