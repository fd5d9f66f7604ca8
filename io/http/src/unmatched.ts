import { type ApiError, type Operation, refuse } from '@sealpost/protocol'
import { IncomingCall, pathOf } from './call.ts'
import { allowOrigin, answerPreflight, isPreflight } from './cors.ts'
import type { Exchange } from './exchange.ts'
import type { HttpServer } from './http-server.ts'
import { sendRefusal, toRefusal } from './refusal.ts'
import type { ServedRoute } from './served-route.ts'
import { isPromise } from './steps.ts'
import { invalid } from './validation.ts'

/** Answers a request that matched no route: a preflight, an invalid path, a wrong method, or an unknown path. */
export function answerUnmatched(server: HttpServer, exchange: Exchange): void {
  const { request, reply } = exchange
  const refusal = server.pathRefusals.get(request.raw)
  if (refusal !== undefined) {
    refusePath(exchange, refusal)
    return
  }
  if (isPreflight(request) && allowOrigin(server.house, request, reply)) {
    answerPreflight(server.house, reply)
    return
  }
  const path = pathOf(request)
  const [first, ...others] = server.routes.filter((route) => route.matches.test(path))
  if (first === undefined) {
    refuseAddress(server, exchange, path, (answer) => sendRefusal(exchange, answer))
    return
  }
  if (first.answersXml) reply.header('vary', 'Accept')
  refuseMethod(exchange, first, others, (answer) => {
    if (answer.key === 'request.method_not_allowed') reply.header('allow', allowedMethods([first, ...others]))
    sendRefusal(exchange, answer, first)
  })
}

const METHODS: readonly Operation['method'][] = ['GET', 'POST', 'PUT', 'DELETE']
const ALL_CALLERS: Operation['callers'] = [
  'service_client',
  'account_client',
  'signin_app',
  'portal',
  'delegate',
  'person',
]

/**
 * No route is served here. The gates still run for a caller with a token, so that a client gets the same 403 for
 * everything outside its patterns, whether a route exists or not; without a token, and at a trailing slash, the answer
 * is 404.
 */
function refuseAddress({ routes }: HttpServer, exchange: Exchange, path: string, send: SendRefusal): void {
  const guarded = routes.find((route) => route.checkMethod !== null)
  const method = METHODS.find((known) => known === exchange.request.method)
  const isGuarded = path.startsWith('/api/') && !path.endsWith('/') && method !== undefined
  if (guarded === undefined || !isGuarded) return send(refuse('request.not_found'))
  const meant = { ...guarded.operation, callers: ALL_CALLERS, delegateRole: 'operator', method } as const
  answerAfterGates(exchange, guarded, meant, send, refuse('request.not_found'))
}

/** The gates do not run without a token: that the method is wrong is no secret. */
function refuseMethod(exchange: Exchange, route: ServedRoute, others: readonly ServedRoute[], send: SendRefusal): void {
  const method = METHODS.find((known) => known === exchange.request.method)
  if (method === undefined) return send(refuse('request.method_not_allowed'))
  const callers = [route.operation, ...others.map((other) => other.operation)].flatMap((served) => served.callers)
  const meant = { ...route.operation, callers, delegateRole: 'operator', method } as const
  answerAfterGates(exchange, route, meant, send, refuse('request.method_not_allowed'))
}

type SendRefusal = (refusal: ApiError) => void

/** Sends the refusal of the gates or, if they admit the call, the given refusal; synchronously if the gates are. */
function answerAfterGates(
  exchange: Exchange,
  { checkMethod }: ServedRoute,
  meant: Operation,
  send: SendRefusal,
  otherwise: ApiError,
): void {
  const call = new IncomingCall(meant, exchange.request)
  const fail = (error: unknown): void => send(toRefusal(exchange, error))
  try {
    const checking = call.bearer === null ? undefined : checkMethod?.(call)
    if (checking !== undefined && isPromise(checking)) checking.then(() => send(otherwise), fail)
    else send(otherwise)
  } catch (error) {
    fail(error)
  }
}

/** The path itself is malformed, whether a route exists or not. */
export function refusePath(exchange: Exchange, message: string): void {
  sendRefusal(exchange, invalid('path', [{ path: '', message }]))
}

function allowedMethods(routes: readonly ServedRoute[]): string {
  return routes.flatMap((route) => route.methods).join(', ')
}
