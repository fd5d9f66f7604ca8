import { KeyChangedError } from '../keys/pins.ts'
import { fingerprintOf, PublicKey } from '../keys/public-key.ts'
import type { CallOptions } from '../options.ts'
import { everyItem, pageQuery } from '../pages.ts'
import {
  deleteCustomerMessages,
  listCustomerMessages,
  readCompanyConnection,
  readCustomerMessages,
  sendCustomerMessage,
} from '../routes.generated.ts'
import type {
  ListCustomerMessagesAnswer,
  ReadCustomerMessagesAnswer,
  SendCustomerMessageAnswer,
} from '../shapes.generated.ts'
import { trustedRecord } from './connection-record.ts'
import { linkOf } from './connections.ts'
import type { CustomerSession } from './session.ts'

/** A message of a thread, still sealed; a broadcast is plain text. */
export type OwnMessageRecord = ListCustomerMessagesAnswer['items'][number]

/** A message that can be sent, also later and again: sealed for the service and for the own copy. */
export interface SealedMessage {
  readonly body: string
  readonly sender_body: string
}

/** The messages of the customer with its services. */
export class OwnMessages {
  readonly #session: CustomerSession

  constructor(session: CustomerSession) {
    this.#session = session
  }

  /** Writes to the service of a connection. The text is sealed to the key that the connection was made with, and to the own key. */
  async send(connectionId: string, text: string, options?: CallOptions): Promise<SendCustomerMessageAnswer> {
    return this.sendSealed(connectionId, await this.seal(connectionId, text, options), options)
  }

  /**
   * For an app that keeps a message until it is sent: `sendSealed` with the same sealed message and the same
   * `idempotencyKey` sends it once, however often it is called.
   */
  async seal(connectionId: string, text: string, options?: CallOptions): Promise<SealedMessage> {
    const connection = await this.#session.send(readCompanyConnection, { params: { id: connectionId } }, options)
    const { public_key: publicKey } = linkOf(connection)
    const { code, service_key: known } = await trustedRecord(this.#session, connection)
    const fingerprint = await fingerprintOf(publicKey)
    if (fingerprint !== known) throw new KeyChangedError(`service ${code}`, known, fingerprint)
    const [theirs, own] = [await PublicKey.import(publicKey), await this.#session.own(options)]
    return { body: await theirs.seal(text), sender_body: await own.seal(text) }
  }

  sendSealed(
    connectionId: string,
    { body, sender_body }: SealedMessage,
    options?: CallOptions,
  ): Promise<SendCustomerMessageAnswer> {
    const input = { params: { id: connectionId }, body: { body, sender_body } }
    return this.#session.send(sendCustomerMessage, input, options)
  }

  /** All messages of a connection, also of an ended one, newest first, with the broadcasts since it began. */
  list(connectionId: string, options?: CallOptions): AsyncGenerator<OwnMessageRecord, void, undefined> {
    const params = { id: connectionId }
    return everyItem((cursor) =>
      this.#session.send(listCustomerMessages, { params, query: pageQuery(cursor) }, options),
    )
  }

  /** The text of a message, opened with the key of the account; null for an own one without a copy. */
  async open({ body, broadcast }: OwnMessageRecord): Promise<string | null> {
    return body === null || broadcast === true ? body : (await this.#session.key()).open(body)
  }

  /** How many messages of the service are not acknowledged. */
  async countUnread(connectionId: string, options?: CallOptions): Promise<number> {
    return (await this.readHead(connectionId, options)).unreadCount
  }

  /** For a list of threads: the newest message, and how many messages of the service are not acknowledged. */
  async readHead(
    connectionId: string,
    options?: CallOptions,
  ): Promise<{ readonly newest: OwnMessageRecord | null; readonly unreadCount: number }> {
    const input = { params: { id: connectionId }, query: { limit: '1' } }
    const { items, unread_count: unreadCount } = await this.#session.send(listCustomerMessages, input, options)
    return { newest: items[0] ?? null, unreadCount }
  }

  /** Acknowledges the service's messages up to this one, which the service then sees. */
  acknowledge(connectionId: string, messageId: string, options?: CallOptions): Promise<ReadCustomerMessagesAnswer> {
    const input = { params: { id: connectionId }, body: { message_id: messageId } }
    return this.#session.send(readCustomerMessages, input, options)
  }

  /** Deletes the customer's copies, also those of an ended connection; the service keeps its own. */
  delete(connectionId: string, options?: CallOptions): Promise<void> {
    return this.#session.send(deleteCustomerMessages, { params: { id: connectionId } }, options)
  }
}
