import type { Address } from './address.ts'
import { destroyConnection, startConnection, type Connection, type IdleConnections } from './connections.ts'
import { DialError, type Dialer } from './dialer.ts'
import { exchange, staleness, type Answer } from './exchange.ts'
import { EgressInterruption, interruptRefused } from './failure.ts'
import { followRedirect, isRedirect } from './redirect.ts'
import { areSendable, type EgressRequest, type StreamedResponse } from './request.ts'
import { findRoute, type Route, type RouteContext } from './route.ts'
import type { Target } from './target.ts'
import type { Trip } from './trip.ts'
import { exchangeUnstreamed, type UnstreamedAnswer } from './unstreamed.ts'

export interface TravelContext extends RouteContext {
  readonly dialer: Dialer
  readonly idle: IdleConnections
  readonly keepMs: number
}

const MOST_ADDRESSES_DIALLED = 4

/** From the first URL to the final answer, hop by hop; every hop is resolved and checked anew. */
export async function travel<T>(
  context: TravelContext,
  request: EgressRequest,
  trip: Trip,
  receive: (response: StreamedResponse) => Promise<T>,
): Promise<T> {
  if (!areSendable(request.headers ?? {})) throw interruptRefused('request_malformed')
  const { redirects = 0 } = request
  for (let hop = request, followed = 0; ; followed += 1) {
    const answer = await reach(context, hop, trip, exchange)
    const { status, headers } = answer.response
    const location = headers['location']
    if (redirects === 0 || !isRedirect(status, location)) return handOver(context, answer, receive)
    destroyConnection(answer.connection)
    if (followed === redirects) throw interruptRefused('redirect_limit')
    hop = followRedirect(hop, status, location)
  }
}

/** A connection is kept only when its answer was read to the end; otherwise unread bytes are left on it. */
async function handOver<T>(
  context: TravelContext,
  { connection, response, reading }: Answer,
  receive: (response: StreamedResponse) => Promise<T>,
): Promise<T> {
  try {
    const result = await receive(response)
    // A receiver that ignores a broken answer must not turn it into a success.
    if (reading.interruption !== null) throw reading.interruption
    return result
  } catch (error) {
    throw reading.interruption ?? error
  } finally {
    if (reading.isComplete) context.idle.keep(connection)
    else destroyConnection(connection)
  }
}

/** The answer of the first hop, whatever it is; see [Note: unstreamed answers]. */
export async function travelUnstreamed(
  context: TravelContext,
  request: EgressRequest,
  trip: Trip,
  wanted: 'whole' | 'status',
): Promise<UnstreamedAnswer> {
  if (!areSendable(request.headers ?? {})) throw interruptRefused('request_malformed')
  const answer = await reach(context, request, trip, (connection, target, asked, on) =>
    exchangeUnstreamed(connection, target, asked, on, wanted),
  )
  if (answer.isComplete) context.idle.keep(answer.connection)
  else destroyConnection(answer.connection)
  return answer
}

type Exchange<T> = (connection: Connection, target: Target, request: EgressRequest, trip: Trip) => Promise<T>

async function reach<T>(
  context: TravelContext,
  request: EgressRequest,
  trip: Trip,
  exchanged: Exchange<T>,
): Promise<T> {
  const route = await findRoute(context, request, trip)
  trip.enter('connect')
  const kept = context.idle.take(route.target.url.origin, route.addresses)
  if (kept === null) return askAnew(context, route, request, trip, exchanged)
  try {
    return await ask(kept, route, request, trip, exchanged)
  } catch (error) {
    if (trip.isAnswered() || !mayAskAgain(request, staleness(kept, error))) throw error
    return askAnew(context, route, request, trip, exchanged)
  }
}

async function askAnew<T>(
  context: TravelContext,
  route: Route,
  request: EgressRequest,
  trip: Trip,
  exchanged: Exchange<T>,
): Promise<T> {
  return ask(await connect(context, route, request, trip), route, request, trip, exchanged)
}

async function ask<T>(
  connection: Connection,
  route: Route,
  request: EgressRequest,
  trip: Trip,
  exchanged: Exchange<T>,
): Promise<T> {
  try {
    trip.throwIfOver()
    if (request.mayLeave?.() === false) throw new EgressInterruption({ kind: 'aborted' })
    return await exchanged(connection, route.target, request, trip)
  } catch (error) {
    destroyConnection(connection)
    throw error
  }
}

function mayAskAgain({ method, isRepeatable }: EgressRequest, stale: 'never_sent' | 'maybe_sent' | null): boolean {
  if (stale === 'maybe_sent') return isRepeatable === true || method === 'GET' || method === 'HEAD'
  return stale === 'never_sent'
}

/** Tries the allowed addresses in turn, each with an equal share of the time. */
async function connect(context: TravelContext, route: Route, request: EgressRequest, trip: Trip): Promise<Connection> {
  const candidates = route.addresses.slice(0, MOST_ADDRESSES_DIALLED)
  let told: unknown
  for (const address of candidates) {
    try {
      return await dial(context, route, address, request.connectTimeoutMs / candidates.length, trip)
    } catch (error) {
      trip.throwIfOver()
      // An untrusted certificate is more informative than the closed port of another address.
      if (!isTlsFailure(told)) told = error
    }
  }
  throw told
}

function isTlsFailure(error: unknown): boolean {
  return error instanceof EgressInterruption && error.failure.kind === 'tls'
}

async function dial(
  context: TravelContext,
  { target }: Route,
  address: Address,
  limitMs: number,
  trip: Trip,
): Promise<Connection> {
  const to = { address: address.text, port: target.port, certificateHost: target.isSecure ? target.host : null }
  try {
    const socket = await trip.within('connect', limitMs, (signal) => context.dialer.dial(to, signal))
    return startConnection(target.url.origin, address, socket, context.keepMs)
  } catch (error) {
    if (!(error instanceof DialError)) throw error
    throw new EgressInterruption({ kind: error.step, code: error.code }, { cause: error })
  }
}
