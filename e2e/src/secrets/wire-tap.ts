import { connect } from '@nats-io/transport-node'
import type { Piece } from './search.ts'

/** Listens to everything that is said over a NATS server, asks and their replies included, which no stream keeps. */
export async function tapNats(
  name: string,
  url: string,
  take: (piece: Piece) => void,
): Promise<{ close(): Promise<void> }> {
  const connection = await connect({ servers: url })
  const subscription = connection.subscribe('>')
  const listening = (async () => {
    for await (const { data, headers } of subscription) {
      take({ place: `NATS ${name}, traffic`, content: data })
      if (headers !== undefined) take({ place: `NATS ${name}, traffic`, content: JSON.stringify([...headers]) })
    }
  })()
  await connection.flush()
  return {
    async close() {
      await connection.drain()
      await listening
    },
  }
}

/** A `fetch` that has every request and every answer noted, as they are on the wire. */
export function notedFetch(whose: string, take: (piece: Piece) => void): typeof globalThis.fetch {
  return async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input)
    const route = `${init?.method ?? 'GET'} ${url.pathname.replaceAll(/[0-9a-f-]{36}/g, '…')}`
    if (typeof init?.body === 'string') take({ place: `what ${whose} sends, ${route}`, content: init.body })
    take({ place: `what ${whose} sends, ${route}`, content: url.href })
    const answer = await fetch(input, init)
    const bytes = new Uint8Array(await answer.clone().arrayBuffer())
    take({ place: `what ${whose} is told, ${route}`, content: bytes })
    return answer
  }
}
