import type { AccessClaims } from '@sealpost/access-token'
import { bindRoute, type Gates, type HttpServer, type Route } from '@sealpost/http'
import { allOperations, isPublic, type Operation } from '@sealpost/protocol'

export type BindRoute = <const Op extends Operation, Located = undefined>(
  route: Route<Op, AccessClaims, Located>,
  /** Gates that this route has instead of the common ones. */
  overrides?: Partial<Gates<AccessClaims>>,
) => void

/** The server and its gates, as a module's `routes.ts` gets them. */
export interface RouteBinder {
  readonly server: HttpServer
  readonly gates: Gates<AccessClaims>
  readonly bind: BindRoute
  /** Binds every operation that needs a caller and is not bound yet; call it after all modules. */
  bindRegional(): void
}

export function openRouteBinder(server: HttpServer, gates: Gates<AccessClaims>): RouteBinder {
  const bound = new Set<string>()
  return {
    server,
    gates,
    bind(route, overrides = {}) {
      bound.add(route.operation.id)
      bindRoute(server, { ...gates, ...overrides }, route)
    },
    bindRegional() {
      const regional = allOperations.filter((operation) => !isPublic(operation) && !bound.has(operation.id))
      for (const operation of regional) bindElsewhere(server, gates, operation)
    },
  }
}

/** An operation that a region serves: `checkHome` answers 421 with the address of that region. */
function bindElsewhere(server: HttpServer, gates: Gates<AccessClaims>, operation: Operation): void {
  bindRoute(server, gates, {
    // `checkHome` refuses before an Idempotency-Key is read, and the front door stores none.
    operation: { ...operation, creates: false },
    handle() {
      throw new Error(`${operation.id} is served by regions only`)
    },
  })
}
