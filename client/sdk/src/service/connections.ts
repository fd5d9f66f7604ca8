import type { CallOptions } from '../options.ts'
import { everyItem, pageQuery } from '../pages.ts'
import { deleteConnection, listConnections, readConnection } from '../routes.generated.ts'
import type { Send } from '../send.ts'
import type { ListConnectionsAnswer } from '../shapes.generated.ts'

/** A connected customer with everything that is shared, still sealed. */
export type Connection = ListConnectionsAnswer['items'][number]

/** Who is connected to the service. */
export class Connections {
  readonly #send: Send

  constructor(send: Send) {
    this.#send = send
  }

  /**
   * All of them, oldest first. Pages of 500 are read while you iterate, and one is in memory at a time. Meant for the
   * first full copy: the platform limits how often it is read, and afterwards the changes tell what is new.
   */
  list(options?: CallOptions): AsyncGenerator<Connection, void, undefined> {
    return everyItem((cursor) => this.#send(listConnections, { query: pageQuery(cursor) }, options))
  }

  get(connectionId: string, options?: CallOptions): Promise<Connection> {
    return this.#send(readConnection, { params: { connectionId } }, options)
  }

  /** Its values are gone when this resolves, and the customer is told. */
  end(connectionId: string, options?: CallOptions): Promise<void> {
    return this.#send(deleteConnection, { params: { connectionId } }, options)
  }
}
