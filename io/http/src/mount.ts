import { answersXml, isPublic, type Operation } from '@sealpost/protocol'
import { contractOf } from './contract.ts'
import { isOpenToApps } from './cors.ts'
import type { HttpServer } from './http-server.ts'
import { serve } from './serve.ts'
import type { ServedRoute } from './served-route.ts'
import { urgencyOf } from './urgency.ts'

/**
 * [Note: all in onRequest] A request is handled completely in Fastify's first hook. Later stages read Content-Type and
 * body before the caller is known, and would answer 415 where the order of gates requires 401.
 */
export function mount(server: HttpServer, operation: Operation, way: Way): void {
  const served = servedRoute(server, operation, way)
  const { id, method, path } = operation
  server.routes.push(served)
  server.fastify.route({
    method,
    url: path.replaceAll(/\{(\w+)\}/g, ':$1'),
    exposeHeadRoute: served.methods.includes('HEAD'),
    // Three parameters tell Fastify that the hook continues by calling back, which this one never does.
    onRequest: (request, _reply, _done) => serve(request, served),
    handler: () => {
      throw new Error(`${id} was not answered by its first hook`)
    },
  })
}

type Way = Pick<ServedRoute, 'steps' | 'checkMethod'>

/** Public routes whose answers contain tokens. */
const SECRETIVE = /^\/(oauth2|api\/session)(\/|$)/

function servedRoute(server: HttpServer, operation: Operation, { steps, checkMethod }: Way): ServedRoute {
  return {
    operation,
    methods: operation.method === 'GET' && operation.drains !== true ? ['GET', 'HEAD'] : [operation.method],
    steps,
    checkMethod,
    answersXml: answersXml(operation),
    urgency: urgencyOf(operation),
    headers: fixedHeaders(server, operation),
    matches: pathPattern(operation.path),
    attributes: { 'http.request.method': operation.method, 'http.route': operation.path, operation: operation.id },
    recorder: server.recorder.forOperation(operation.id),
    contract: server.options.strictContract === true ? contractOf(operation) : null,
    serialise: null,
  }
}

function pathPattern(path: string): RegExp {
  const pattern = path.replaceAll(/[.*+?^$()|[\]\\]/g, String.raw`\$&`).replaceAll(/\{\w+\}/g, '[^/]+')
  return new RegExp(`^${pattern}$`)
}

function fixedHeaders(server: HttpServer, operation: Operation): readonly (readonly [string, string])[] {
  const vary: string[] = []
  if (answersXml(operation)) vary.push('Accept')
  const { origins } = server.house
  if (origins !== 'all' && origins.size > 0 && isOpenToApps(operation.path)) vary.push('Origin')
  const headers: [string, string][] = []
  if (vary.length > 0) headers.push(['vary', vary.join(', ')])
  // Answers to a token or with a secret must not be cached; a route whose answers may be cached sets the header itself.
  if (!isPublic(operation) || SECRETIVE.test(operation.path)) headers.push(['cache-control', 'no-store'])
  return headers
}
