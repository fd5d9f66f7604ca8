import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Operation } from '@sealpost/protocol'
import type { Served } from './exchange.ts'
import { gateSteps } from './gate-steps.ts'
import type { Gates } from './gates.ts'
import type { HttpServer } from './http-server.ts'
import { serve } from './serve.ts'
import { fastifyPath, serveOperation } from './served-route.ts'

export interface HandedOver {
  readonly operation: Operation
  /** Reads the body and writes the answer by itself. */
  readonly handOver: (request: IncomingMessage, response: ServerResponse) => void
}

/** For an operation that a library answers on the raw request: the gates, the headers and the log line stay ours. */
export function bindHandOver<Caller>(server: HttpServer, gates: Gates<Caller>, route: HandedOver): void {
  const { operation, handOver } = route
  const served = serveOperation(server, operation, [
    ...gateSteps(operation, gates),
    (exchange) => leaveTo(exchange, handOver),
  ])
  server.routes.push(served)
  server.fastify.route({
    method: operation.method,
    url: fastifyPath(operation.path),
    exposeHeadRoute: false,
    // See bindRoute on the three parameters.
    onRequest: (request, _reply, _done) => serve(request, served),
    handler: () => {
      throw new Error(`${operation.id} was not answered by its first hook`)
    },
  })
}

function leaveTo({ reply, request }: Served, handOver: HandedOver['handOver']): void {
  for (const [name, value] of Object.entries(reply.getHeaders())) {
    if (value !== undefined) reply.raw.setHeader(name, value)
  }
  reply.hijack()
  handOver(request.raw, reply.raw)
}
