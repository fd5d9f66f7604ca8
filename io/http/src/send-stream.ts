import type { Served } from './exchange.ts'
import type { EventStream, StreamAnswer } from './stream-answer.ts'

/**
 * [Note: streams are not in flight] A stream waits most of its life, so it leaves the count of calls in flight when its head
 * is sent; the module that opens it limits how many there are. Its log line and metrics follow when it ends, with the time
 * to its head as duration. `watchReaders` ends it like every answer when bytes wait and its reader takes none.
 */
export function sendStream(exchange: Served, answer: StreamAnswer): void {
  const { reply, request, route, ticket } = exchange
  const { id, success } = route.operation
  if (success.streams !== true) throw new Error(`${id} declares no stream`)
  const { raw } = reply
  for (const [name, value] of Object.entries(reply.getHeaders())) if (value !== undefined) raw.setHeader(name, value)
  reply.hijack()
  if (raw.closed) return
  // The second header keeps nginx from collecting events before it passes them on.
  raw.writeHead(success.status, { 'content-type': 'text/event-stream; charset=utf-8', 'x-accel-buffering': 'no' })
  if (request.method === 'HEAD') {
    raw.end()
    return
  }
  raw.flushHeaders()
  exchange.streamedAtMs = performance.now()
  ticket?.release()
  const stream: EventStream = { write: (text) => raw.write(text), end: (text) => void raw.end(text) }
  const watch = answer.open(stream)
  raw.on('drain', () => watch.onDrain())
  exchange.onClosed = () => watch.onClosed()
}
