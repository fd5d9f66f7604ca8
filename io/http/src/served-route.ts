import { answersXml, isPublic, type Operation } from '@sealpost/protocol'
import type { Attributes } from '@sealpost/telemetry'
import { type Contract, contractOf } from './contract.ts'
import { isOpenToApps } from './cors.ts'
import type { HttpServer } from './http-server.ts'
import type { OperationRecorder } from './request-record.ts'
import type { MethodStep, Step } from './steps.ts'

/** What is known of a bound operation before any request comes: everything here is made once. */
export interface ServedRoute {
  readonly operation: Operation
  /** The methods that a route of this operation takes: its own, and HEAD where GET only reads. */
  readonly methods: readonly string[]
  readonly steps: readonly Step[]
  readonly judgeMethod: MethodStep | null
  readonly answersXml: boolean
  readonly headers: readonly (readonly [string, string])[]
  readonly matches: RegExp
  readonly attributes: Attributes
  readonly recorder: OperationRecorder
  readonly contract: Contract | null
  /** Compiled by Fastify from the success schema; taken from the first reply that needs it. */
  serialise: ((body: Record<string, unknown>) => string) | null
}

/** Public routes whose answers hold tokens. */
const SECRETIVE = /^\/(oauth2|api\/session)(\/|$)/

export function serveOperation(
  server: HttpServer,
  operation: Operation,
  steps: readonly Step[],
  judgeMethod: MethodStep | null,
): ServedRoute {
  return {
    operation,
    methods: operation.method === 'GET' && operation.drains !== true ? ['GET', 'HEAD'] : [operation.method],
    steps,
    judgeMethod,
    answersXml: answersXml(operation),
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
  if (server.house.origins.size > 0 && isOpenToApps(operation.path)) vary.push('Origin')
  const headers: [string, string][] = []
  if (vary.length > 0) headers.push(['vary', vary.join(', ')])
  // Answers to a token or a secret are nobody's to keep; a route whose answers may be kept says so itself.
  if (!isPublic(operation) || SECRETIVE.test(operation.path)) headers.push(['cache-control', 'no-store'])
  return headers
}
