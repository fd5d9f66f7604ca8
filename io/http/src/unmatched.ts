import { type ApiError, type Operation, refuse } from '@sealpost/protocol'
import { IncomingCall, pathOf } from './call.ts'
import { allowOrigin, answerPreflight, isPreflight } from './cors.ts'
import type { Exchange } from './exchange.ts'
import type { HttpServer } from './http-server.ts'
import { sendRefusal, toRefusal } from './refusal.ts'
import type { ServedRoute } from './served-route.ts'
import { isPromise } from './steps.ts'
import { invalid } from './validation.ts'

/** Answers a request that no route took: a preflight, a path that is refused as such, a wrong method, or nothing. */
export function answerUnmatched(server: HttpServer, exchange: Exchange): void {
  const { request, reply } = exchange
  const refusal = server.pathRefusals.get(request.raw)
  if (refusal !== undefined) {
    refusePath(exchange, refusal)
    return
  }
  if (isPreflight(request) && allowOrigin(server.house, request, reply)) {
    answerPreflight(reply)
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
const EVERYBODY: Operation['callers'] = [
  'service_client',
  'account_client',
  'signin_app',
  'portal',
  'delegate',
  'person',
]

/**
 * Nothing is served here. A caller with a token is judged all the same, so that a client is told alike of everything
 * outside its patterns, whether a route stands there or not; without a token, and at a trailing slash, it is just nothing.
 */
function refuseAddress({ routes }: HttpServer, exchange: Exchange, path: string, send: SendRefusal): void {
  const guarded = routes.find((route) => route.judgeMethod !== null)
  const method = METHODS.find((known) => known === exchange.request.method)
  const isJudged = path.startsWith('/api/') && !path.endsWith('/') && method !== undefined
  if (guarded === undefined || !isJudged) return send(refuse('request.not_found'))
  const meant = { ...guarded.operation, callers: EVERYBODY, delegateRole: 'operator', method } as const
  judge(exchange, guarded, meant, send, refuse('request.not_found'))
}

/** Without a token nobody is judged: that the method is wrong is no secret. */
function refuseMethod(exchange: Exchange, route: ServedRoute, others: readonly ServedRoute[], send: SendRefusal): void {
  const method = METHODS.find((known) => known === exchange.request.method)
  if (method === undefined) return send(refuse('request.method_not_allowed'))
  const callers = [route.operation, ...others.map((other) => other.operation)].flatMap((served) => served.callers)
  const meant = { ...route.operation, callers, delegateRole: 'operator', method } as const
  judge(exchange, route, meant, send, refuse('request.method_not_allowed'))
}

type SendRefusal = (refusal: ApiError) => void

/** Sends what the gates say of the caller or, if they let the call pass, the other refusal; at once if they know at once. */
function judge(
  exchange: Exchange,
  { judgeMethod }: ServedRoute,
  meant: Operation,
  send: SendRefusal,
  otherwise: ApiError,
): void {
  const call = new IncomingCall(meant, exchange.request)
  const fail = (error: unknown): void => send(toRefusal(exchange, error))
  try {
    const judging = call.bearer === null ? undefined : judgeMethod?.(call)
    if (judging !== undefined && isPromise(judging)) judging.then(() => send(otherwise), fail)
    else send(otherwise)
  } catch (error) {
    fail(error)
  }
}

/** The address itself is wrong, whatever stands there. */
export function refusePath(exchange: Exchange, message: string): void {
  sendRefusal(exchange, invalid('path', [{ path: '', message }]))
}

function allowedMethods(routes: readonly ServedRoute[]): string {
  return routes.flatMap((route) => route.methods).join(', ')
}
