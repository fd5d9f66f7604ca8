import { jetstreamManager } from '@nats-io/jetstream'
import type { ObservedNats } from '@sealpost/testkit'
import { observeNats } from './observe-nats.ts'
import type { Piece } from './search.ts'

/** Every stored message of a NATS server. */
export async function readStreams(nats: ObservedNats): Promise<readonly Piece[]> {
  const connection = await observeNats(nats)
  try {
    const manager = await jetstreamManager(connection)
    const pieces: Piece[] = []
    for await (const { config, state } of manager.streams.list()) {
      for (let seq = state.first_seq; seq <= state.last_seq && state.messages > 0; seq += 1) {
        const message = await manager.streams.getMessage(config.name, { seq }).catch(() => null)
        if (message === null) continue
        const place = `NATS ${nats.region}, stream ${config.name}, ${message.subject}`
        pieces.push({ place, content: message.data }, { place, content: headersOf(message.header) })
      }
    }
    return pieces
  } finally {
    await connection.close()
  }
}

function headersOf(headers: Iterable<[string, string[]]>): string {
  return JSON.stringify([...headers])
}
