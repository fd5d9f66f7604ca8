import type { IncomingMessage, ServerResponse } from 'node:http'
import type { ClientId } from '@sealpost/kernel'
import type { ErrorKey, Operation } from '@sealpost/protocol'
import type { Served } from './exchange.ts'
import { gateSteps, methodStep } from './gate-steps.ts'
import type { Gates } from './gates.ts'
import type { HttpServer } from './http-server.ts'
import { mount } from './mount.ts'

export interface HandedOver {
  readonly operation: Operation
  /** Reads the body and writes the answer itself. A refusal is noted before its last byte is written. */
  readonly handOver: (request: IncomingMessage, response: ServerResponse, note: NoteRefusal) => void
}

/** Tells the log line which client was refused, and why. Null: the request names no client. */
export type NoteRefusal = (errorKey: ErrorKey, clientId: ClientId | null) => void

/** For an operation that a library answers on the raw request: gates, headers and log line stay ours. */
export function bindHandOver<Caller>(server: HttpServer, gates: Gates<Caller>, route: HandedOver): void {
  const { operation, handOver } = route
  const steps = [
    ...gateSteps(server, operation, gates),
    (exchange: Served) => countBody(exchange),
    (exchange: Served) => leaveTo(exchange, handOver),
  ]
  mount(server, operation, { steps, checkMethod: methodStep(operation, gates) })
}

/** The library reads the body, so its declared or largest size counts. */
function countBody({ ticket, request, route }: Served): void {
  const { maxBodyBytes, body } = route.operation
  const largest = body === undefined ? 0 : (maxBodyBytes ?? 0)
  ticket?.addBytes(Math.min(Number(request.headers['content-length'] ?? largest), largest))
}

/** Waits until the answer is complete: the library chooses its status, and span and log record the final one. */
async function leaveTo(exchange: Served, handOver: HandedOver['handOver']): Promise<void> {
  const { reply, request } = exchange
  const { promise: closed, resolve } = Promise.withResolvers<void>()
  reply.raw.once('close', resolve)
  for (const [name, value] of Object.entries(reply.getHeaders())) {
    if (value !== undefined) reply.raw.setHeader(name, value)
  }
  reply.hijack()
  // A caller who left during the gates has already closed the response, so no further event would come.
  if (reply.raw.closed) return
  handOver(request.raw, reply.raw, (errorKey, clientId) => {
    exchange.errorKey = errorKey
    exchange.namedClient = clientId
  })
  await closed
}
