import { type Tx, withAnswerStore, workFor } from '@sealpost/postgres'
import { type Operation, refuse } from '@sealpost/protocol'
import { pointerStep } from './body/json.ts'
import { bodyStep } from './body/step.ts'
import { queryTextOf } from './call.ts'
import type { Served } from './exchange.ts'
import { gateSteps, methodStep } from './gate-steps.ts'
import type { Gates } from './gates.ts'
import type { HttpServer } from './http-server.ts'
import type { IdempotencyStore } from './idempotency/port.ts'
import { claimKey, storeAnswerIn } from './idempotency/step.ts'
import { mount } from './mount.ts'
import { readTextMembers } from './query.ts'
import type { Input, Route } from './route.ts'
import type { ServerOptions } from './server-options.ts'
import { type Step, whenResolved } from './steps.ts'
import { compileInspection, invalid } from './validation.ts'

/** Serves an operation; see `Route` for the options of an app and `mount` for the use of Fastify. */
export function bindRoute<const Op extends Operation, Caller, Located = undefined>(
  server: HttpServer,
  gates: Gates<Caller>,
  route: Route<Op, Caller, Located>,
): void {
  const { operation } = route
  mount(server, operation, { steps: stepsOf(server, gates, route), checkMethod: methodStep(operation, gates) })
}

/** The order of [Note: order of gates] as a list: the gates, then ownership, then the request's shape. */
function stepsOf<Op extends Operation, Caller, Located>(
  server: HttpServer,
  gates: Gates<Caller>,
  route: Route<Op, Caller, Located>,
): readonly Step[] {
  const { operation } = route
  const steps: (Step | null)[] = [
    ...gateSteps(server, operation, gates),
    paramsStep(operation),
    locateStep(route),
    queryStep(operation),
    bodyStep(server, operation),
    operation.creates === true ? claimKey(storeOf(server.options, operation)) : null,
    handleStep(route),
  ]
  return steps.filter((step) => step !== null)
}

function paramsStep({ params: schema }: Operation): Step | null {
  if (schema === undefined) return null
  const inspect = compileInspection(schema)
  return (exchange) => {
    const { params } = exchange.request
    if (inspect(params) !== null || holdsSlash(params)) throw refuse('request.not_found')
    exchange.params = params
  }
}

/** `%2F` is part of a name in `sourceKey` only; elsewhere it would form a path that no pattern was matched against. */
function holdsSlash(params: unknown): boolean {
  return Object.entries(params ?? {}).some(([name, value]) => name !== 'sourceKey' && String(value).includes('/'))
}

function queryStep({ query: schema }: Operation): Step | null {
  if (schema === undefined) return null
  const inspect = compileInspection(schema)
  return (exchange) => {
    const read = readTextMembers(queryTextOf(exchange.request))
    if (!read.ok) {
      const { name, message } = read.refusal
      throw invalid('query', [{ path: name === null ? '' : pointerStep(name), message }])
    }
    const faults = inspect(read.value)
    if (faults !== null) throw invalid('query', faults)
    exchange.query = read.value
  }
}

function locateStep<Op extends Operation, Caller, Located>(route: Route<Op, Caller, Located>): Step | null {
  const { locate } = route
  if (locate === undefined) return null
  return (exchange) =>
    whenResolved(
      forOwner(exchange, () => locate(asInput<Op, Caller, Located>(exchange))),
      (located) => {
        exchange.located = located
      },
    )
}

function handleStep<Op extends Operation, Caller, Located>(route: Route<Op, Caller, Located>): Step {
  return (exchange) => {
    if (exchange.replay !== null) return undefined
    const handle = () => forOwner(exchange, () => route.handle(asInput<Op, Caller, Located>(exchange)))
    const answering = exchange.lease === null ? handle() : withAnswerStore(storeAnswerOf(exchange), handle)
    return whenResolved<unknown>(answering, (answer) => {
      exchange.answer = answer
    })
  }
}

function forOwner<T>({ owner }: Served, work: () => T): T {
  return owner === null ? work() : workFor(owner, work)
}

function asInput<Op extends Operation, Caller, Located>(exchange: Served): Input<Op, Caller, Located> {
  const { call, caller, params, located, query, body } = exchange
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- each member was checked by the step that put it there
  return { call, caller, params, located, query, body } as Input<Op, Caller, Located>
}

function storeAnswerOf(exchange: Served): (tx: Tx, answer: unknown) => Promise<void> {
  return (tx, answer) => storeAnswerIn(storeOf(exchange.options, exchange.route.operation), exchange, tx, answer)
}

function storeOf({ idempotency }: ServerOptions, { id }: Operation): IdempotencyStore {
  if (idempotency !== undefined) return idempotency
  throw new Error(`${id} accepts Idempotency-Key: open the server with an idempotency store`)
}
