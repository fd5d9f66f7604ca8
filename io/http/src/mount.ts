import type { HttpServer } from './http-server.ts'
import { serve } from './serve.ts'
import type { ServedRoute } from './served-route.ts'

/**
 * [Note: all in onRequest] The whole way of a request happens in Fastify's first hook. Later stages look at Content-Type
 * and body before anybody asked who calls, and would answer 415 where the order of gates says 401.
 */
export function mount(server: HttpServer, served: ServedRoute): void {
  const { id, method, path, success } = served.operation
  server.routes.push(served)
  server.fastify.route({
    method,
    url: path.replaceAll(/\{(\w+)\}/g, ':$1'),
    exposeHeadRoute: served.methods.includes('HEAD'),
    ...(success.body === undefined ? {} : { schema: { response: { [success.status]: success.body } } }),
    // Three parameters tell Fastify that the hook goes on by calling back, which this one never does.
    onRequest: (request, _reply, _done) => serve(request, served),
    handler: () => {
      throw new Error(`${id} was not answered by its first hook`)
    },
  })
}
