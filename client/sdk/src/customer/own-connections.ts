import type { CallOptions } from '../options.ts'
import { everyItem, pageQuery } from '../pages.ts'
import { listCompanyConnections } from '../routes.generated.ts'
import type { Send } from '../send.ts'
import type { ListCompanyConnectionsAnswer } from '../shapes.generated.ts'

/** A service that the customer is connected to. */
export type OwnConnection = ListCompanyConnectionsAnswer['connections'][number]

/** All connections, oldest first, read page by page. */
export function listOwnConnections(send: Send, options?: CallOptions): AsyncGenerator<OwnConnection, void, undefined> {
  return everyItem(async (cursor) => {
    const { connections, next_cursor } = await send(listCompanyConnections, { query: pageQuery(cursor) }, options)
    return { items: connections, next_cursor }
  })
}
