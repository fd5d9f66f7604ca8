import { refuse } from '@sealpost/protocol'
import { pathOf } from './call.ts'
import { allowOrigin, answerPreflight, isPreflight } from './cors.ts'
import type { Exchange } from './exchange.ts'
import { sendRefusal } from './refusal.ts'
import type { ServedRoute } from './served-route.ts'
import { invalid } from './validation.ts'

/** Answers a request that no route took: a preflight, a path that is refused as such, a wrong method, or nothing. */
export function answerUnmatched(exchange: Exchange): void {
  const { request, reply, server } = exchange
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
    sendRefusal(exchange, refuse('request.not_found'))
    return
  }
  reply.header('allow', allowedMethods([first, ...others]))
  if (first.answersXml) reply.header('vary', 'Accept')
  sendRefusal(exchange, refuse('request.method_not_allowed'), first)
}

/** The address itself is wrong, whatever stands there. */
export function refusePath(exchange: Exchange, message: string): void {
  sendRefusal(exchange, invalid('path', [{ path: '', message }]))
}

function allowedMethods(routes: readonly ServedRoute[]): string {
  return routes.flatMap((route) => route.methods).join(', ')
}
