import { bindRoute, type Call, type Gates, type HttpServer, type Route } from '@sealpost/http'
import type { Operation } from '@sealpost/protocol'
import type { Caller } from './caller.ts'

/** Binds a route behind the gates; the argument of every module's `routes`. */
export type BindRoute = <const Op extends Operation, Located = undefined>(route: Route<Op, Caller, Located>) => void

/** Runs a look-up; refuses callers who have missed too often. */
export type CountMisses<Of> = <Found>(
  call: Call,
  caller: Of | null,
  lookUp: () => Found | Promise<Found>,
) => Promise<Found>

export function routeBinder(server: HttpServer, gates: Gates<Caller>, countMisses: CountMisses<Caller>): BindRoute {
  return (route) => {
    if (route.operation.misses === undefined) bindRoute(server, gates, route)
    else
      bindRoute(server, gates, {
        ...route,
        handle: (input) => countMisses(input.call, input.caller, () => route.handle(input)),
      })
  }
}
