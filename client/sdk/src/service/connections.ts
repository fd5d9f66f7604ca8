import type { CallOptions } from '../options.ts'
import { everyItem, pageQuery } from '../pages.ts'
import { deleteConnection, listConnections, readConnection } from '../routes.generated.ts'
import type { Send } from '../send.ts'
import type { ListConnectionsAnswer } from '../shapes.generated.ts'

/** A connected customer with all shared values, still sealed. */
export type Connection = ListConnectionsAnswer['items'][number]

/** The connections of the service. */
export class Connections {
  readonly #send: Send

  constructor(send: Send) {
    this.#send = send
  }

  /**
   * All connections, oldest first. Pages of 500 are read while you iterate; one is in memory at a time. Meant for the first
   * full copy: the platform limits how often it can be read, and `changes` has what is new afterwards.
   */
  list(options?: CallOptions): AsyncGenerator<Connection, void, undefined> {
    return everyItem((cursor) => this.#send(listConnections, { query: pageQuery(cursor) }, options))
  }

  get(connectionId: string, options?: CallOptions): Promise<Connection> {
    return this.#send(readConnection, { params: { connectionId } }, options)
  }

  /** Ends the connection. Its values are deleted when this resolves, and the customer is notified. */
  end(connectionId: string, options?: CallOptions): Promise<void> {
    return this.#send(deleteConnection, { params: { connectionId } }, options)
  }
}
