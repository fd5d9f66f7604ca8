import { bindRoute, type Gates, type HttpServer, type Route } from '@sealpost/http'
import type { Operation } from '@sealpost/protocol'
import type { Caller } from './caller.ts'

/** Binds a route behind the gates; the argument of every module's `routes`. */
export type BindRoute = <const Op extends Operation, Located = undefined>(route: Route<Op, Caller, Located>) => void

export function routeBinder(server: HttpServer, gates: Gates<Caller>): BindRoute {
  return (route) => bindRoute(server, gates, route)
}
