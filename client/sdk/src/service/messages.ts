import type { Keys } from '../keys/keys.ts'
import type { ServiceKey } from '../keys/private-keys.ts'
import { PublicKey } from '../keys/public-key.ts'
import type { CallOptions } from '../options.ts'
import { everyItem, pageQuery } from '../pages.ts'
import {
  broadcastMessage,
  deleteMessages,
  listMessages,
  readConnection,
  readMessages,
  sendMessage,
} from '../routes.generated.ts'
import type { Send } from '../send.ts'
import type {
  BroadcastMessageAnswer,
  ListMessagesAnswer,
  ReadMessagesAnswer,
  SendMessageAnswer,
} from '../shapes.generated.ts'
import { UntrustedAnswerError } from '../untrusted.ts'

/** A message of a thread, still sealed; a broadcast is plain text. */
export type MessageRecord = ListMessagesAnswer['items'][number]

/** The messages of the service with its customers. */
export class Messages {
  readonly #send: Send
  readonly #keys: Keys

  constructor(send: Send, keys: Keys) {
    this.#send = send
    this.#keys = keys
  }

  /**
   * Writes to the customer of a connection. The text is sealed to the customer's pinned key, and to `key` for the service's
   * own copy. It acknowledges nothing.
   */
  async send(
    connectionId: string,
    text: string,
    key: Pick<ServiceKey, 'publicKey'>,
    options?: CallOptions,
  ): Promise<SendMessageAnswer> {
    const params = { connectionId }
    const { user_id: userId } = await this.#send(readConnection, { params }, options)
    const publicKey = (await this.#keys.readMany([userId], options)).get(userId)
    if (publicKey === undefined) throw new UntrustedAnswerError('connection_unknown', `connection ${connectionId}`)
    const [theirs, own] = [await PublicKey.import(publicKey), await PublicKey.import(key.publicKey)]
    const body = { body: await theirs.seal(text), sender_body: await own.seal(text) }
    return this.#send(sendMessage, { params, body }, options)
  }

  /** All messages of a connection, also of an ended one, newest first, with the broadcasts since it began. */
  list(connectionId: string, options?: CallOptions): AsyncGenerator<MessageRecord, void, undefined> {
    return everyItem((cursor) =>
      this.#send(listMessages, { params: { connectionId }, query: pageQuery(cursor) }, options),
    )
  }

  /** The text of a message; null for an own one without a copy. */
  async open({ body, broadcast }: MessageRecord, key: Pick<ServiceKey, 'open'>): Promise<string | null> {
    return body === null || broadcast === true ? body : key.open(body)
  }

  /** How many messages of the customer are not acknowledged. */
  async countUnread(connectionId: string, options?: CallOptions): Promise<number> {
    const query = { limit: '1' }
    return (await this.#send(listMessages, { params: { connectionId }, query }, options)).unread_count
  }

  /** Acknowledges the customer's messages up to this one, which the customer then sees. */
  acknowledge(connectionId: string, messageId: string, options?: CallOptions): Promise<ReadMessagesAnswer> {
    return this.#send(readMessages, { params: { connectionId }, body: { message_id: messageId } }, options)
  }

  /** Deletes the service's copies, also those of an ended connection; the customer keeps the own ones. */
  delete(connectionId: string, options?: CallOptions): Promise<void> {
    return this.#send(deleteMessages, { params: { connectionId } }, options)
  }

  /** Writes to all present connections, in plain text that the platform can read. */
  broadcast(text: string, options?: CallOptions): Promise<BroadcastMessageAnswer> {
    return this.#send(broadcastMessage, { body: { body: text } }, options)
  }
}
