import type { Socket } from 'node:net'
import type { Log } from '@sealpost/telemetry'
import type { Exchange } from './exchange.ts'
import type { ReaderLimit } from './reader-limit.ts'

export interface Readers {
  /** From the time that it has its connection until that is over. */
  watch(exchange: Exchange): void
  close(): void
}

interface Progress {
  atMs: number
  /** Bytes that the network had taken at that time. */
  sent: number
  /** Bytes that the network has not taken, of the chunk that is being written. */
  queued: number
}

const LOOKS_PER_WINDOW = 4

/**
 * Ends answers whose reader takes almost nothing: they hold memory, and a download also a connection to the file store.
 * Only time in which bytes wait for the reader counts, so an answer that is still being made is never ended, and a slow
 * reader gets everything.
 */
export function watchReaders(log: Log, limit: ReaderLimit): Readers {
  const open = new Map<Exchange, Progress>()
  const look = (): void => {
    const now = performance.now()
    for (const [exchange, progress] of open) if (isStalled(exchange, progress, limit, now)) end(exchange, log)
  }
  const timer = setInterval(look, limit.windowMs / LOOKS_PER_WINDOW)
  timer.unref()
  return {
    watch(exchange) {
      const { raw } = exchange.reply
      const begin = (socket: Socket): void => {
        open.set(exchange, { atMs: performance.now(), ...sentOn(socket) })
        raw.once('close', () => open.delete(exchange))
      }
      if (raw.closed) return
      // An answer to a pipelined request gets the connection after the answers before it.
      if (raw.socket === null) raw.once('socket', begin)
      else begin(raw.socket)
    },
    close: () => clearInterval(timer),
  }
}

function isStalled({ reply }: Exchange, progress: Progress, limit: ReaderLimit, now: number): boolean {
  const { socket } = reply.raw
  if (socket === null) return false
  const { sent, queued } = sentOn(socket)
  // A chunk counts as sent when all of it is; until then its rest shrinks.
  const taken = sent === progress.sent ? progress.queued - queued : sent - progress.sent
  if (socket.writableLength === 0 || taken >= limit.minBytes) {
    Object.assign(progress, { atMs: now, sent, queued })
    return false
  }
  return now - progress.atMs >= limit.windowMs
}

function sentOn(socket: Socket): Pick<Progress, 'sent' | 'queued'> {
  const handle: unknown = Reflect.get(socket, '_handle')
  const queued: unknown = typeof handle === 'object' && handle !== null ? Reflect.get(handle, 'writeQueueSize') : 0
  return { sent: socket.bytesWritten - socket.writableLength, queued: typeof queued === 'number' ? queued : 0 }
}

function end({ reply, request, route }: Exchange, log: Log): void {
  const fields = { operation: route?.operation.id ?? null, request_id: request.id }
  log.info(fields, 'an answer was ended: its reader took almost nothing')
  reply.raw.destroy()
}
