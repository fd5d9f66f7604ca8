import type { ObservedNats } from '@sealpost/testkit'
import { observeNats } from './observe-nats.ts'
import type { Piece } from './search.ts'

/** Records all messages on a NATS server, including asks and their replies, which no stream stores. */
export async function recordNats(
  nats: ObservedNats,
  record: (piece: Piece) => void,
): Promise<{ close(): Promise<void> }> {
  const connection = await observeNats(nats)
  const subscription = connection.subscribe('>')
  const listening = (async () => {
    for await (const { data, headers } of subscription) {
      record({ place: `NATS ${nats.region}, traffic`, content: data })
      if (headers !== undefined)
        record({ place: `NATS ${nats.region}, traffic`, content: JSON.stringify([...headers]) })
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

/** A `fetch` that records every request and every answer. */
export function recordedFetch(whose: string, record: (piece: Piece) => void): typeof globalThis.fetch {
  return async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input)
    const route = `${init?.method ?? 'GET'} ${url.pathname.replaceAll(/[0-9a-f-]{36}/g, '…')}`
    if (typeof init?.body === 'string') record({ place: `requests of ${whose}, ${route}`, content: init.body })
    record({ place: `requests of ${whose}, ${route}`, content: url.href })
    const answer = await fetch(input, init)
    const bytes = new Uint8Array(await answer.clone().arrayBuffer())
    record({ place: `answers to ${whose}, ${route}`, content: bytes })
    return answer
  }
}
