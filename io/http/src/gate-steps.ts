import { isPublic, isWrite, type Operation, refuse } from '@sealpost/protocol'
import { promisedErrors } from './contract.ts'
import type { Served } from './exchange.ts'
import type { Gates, LimitState } from './gates.ts'
import type { HttpServer } from './http-server.ts'
import type { Inflight } from './inflight.ts'
import { limitHeader, limitPolicyHeader, limitRefusal } from './limits.ts'
import { type MethodStep, type Step, whenResolved } from './steps.ts'

/**
 * The gates of an operation, in the order of [Note: order of gates]; gates it does not have are left out at binding.
 */
export function gateSteps<Caller>(
  { inflight }: Pick<HttpServer, 'inflight'>,
  operation: Operation,
  gates: Gates<Caller>,
): readonly Step[] {
  const isGuarded = !isPublic(operation)
  const mayPause = isWrite(operation) && promisedErrors(operation).has('db.writes_paused')
  const steps: (Step | false)[] = [
    operation.drains === true && refusePrefetch,
    ({ call }) => gates.checkPlatform(call),
    isGuarded && authenticate(gates),
    isGuarded && (({ call, caller }) => gates.checkHome(call, known(caller))),
    isGuarded && (({ call, caller }) => gates.checkAccess(call, known(caller))),
    operation.rate !== null && enterFlight(inflight, gates),
    operation.rate !== null && takeFromLimits(gates),
    mayPause && (({ call }) => gates.checkWrites(call)),
    isGuarded && operation.level !== undefined && (({ call, caller }) => gates.checkLevel(call, known(caller))),
  ]
  return steps.filter((step) => step !== false)

  function known(caller: unknown): Caller {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- put there by `authenticate` of the same gates
    return caller as Caller
  }
}

/**
 * Runs the gates for a request that no route serves: a forbidden caller gets 403, and only an admitted one learns that
 * the method or path is wrong.
 */
export function methodStep<Caller>(operation: Operation, gates: Gates<Caller>): MethodStep | null {
  if (isPublic(operation)) return null
  return (call) =>
    whenResolved(gates.checkPlatform(call), () =>
      whenResolved(gates.authenticate(call), (caller) =>
        whenResolved(gates.checkHome(call, caller), () => gates.checkAccess(call, caller)),
      ),
    )
}

/** Browsers prefetch pages; a drain must only happen on a real call. */
function refusePrefetch({ request, reply }: Served): void {
  const purpose = request.headers['sec-purpose'] ?? request.headers['purpose']
  if (typeof purpose !== 'string' || !purpose.includes('prefetch')) return
  reply.header('allow', 'GET')
  throw refuse('request.method_not_allowed')
}

function authenticate<Caller>(gates: Gates<Caller>): Step {
  const remember = (exchange: Served, caller: Caller): void => {
    exchange.caller = caller
    exchange.callerName = gates.nameOf(caller)
  }
  return (exchange) => whenResolved(gates.authenticate(exchange.call), (caller) => remember(exchange, caller))
}

/** In front of the rate, so that a refusal here costs no part of it. */
function enterFlight<Caller>(inflight: Inflight, gates: Gates<Caller>): Step {
  return (exchange) => {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- put there by `authenticate` of the same gates
    exchange.owner = gates.ownerOf(exchange.call, exchange.caller as Caller | null)
    exchange.ticket = inflight.enter(exchange.owner)
  }
}

function takeFromLimits<Caller>(gates: Gates<Caller>): Step {
  return (exchange) => {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- put there by `authenticate` of the same gates
    const states = gates.takeFromLimits(exchange.call, exchange.caller as Caller | null)
    return whenResolved(states, (resolved) => setLimitHeaders(exchange, resolved))
  }
}

function setLimitHeaders({ reply }: Served, states: readonly LimitState[]): void {
  if (states.length === 0) return
  reply.header('ratelimit-policy', limitPolicyHeader(states))
  reply.header('ratelimit', limitHeader(states))
  const refusal = limitRefusal(states)
  if (refusal !== null) throw refusal
}
