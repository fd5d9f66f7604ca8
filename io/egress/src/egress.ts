import { accept, announceSlowAct, decline, type Clock, type Result } from '@sealpost/kernel'
import type { Telemetry } from '@sealpost/telemetry'
import { openIdleConnections, type IdleLimits } from './connections.ts'
import { socketDialer, type Dialer } from './dialer.ts'
import { EgressInterruption, type EgressFailure } from './failure.ts'
import { measure } from './measure.ts'
import type { EgressPolicy } from './policy.ts'
import type { EgressRequest, EgressResponse, StreamedResponse } from './request.ts'
import { dnsResolver, type Resolver } from './resolver.ts'
import { travel } from './travel.ts'
import { startTrip, type Trip } from './trip.ts'

export interface EgressOptions {
  readonly policy: EgressPolicy
  readonly clock: Clock
  readonly resolver?: Resolver
  readonly dialer?: Dialer
  readonly telemetry?: Telemetry
  readonly idle?: Partial<IdleLimits>
}

/** The only way out of our servers over HTTP. */
export interface Egress {
  /** The whole answer in memory. */
  send(request: EgressRequest): Promise<Result<EgressResponse, EgressFailure>>
  /**
   * Hands the answer on as it arrives; the limits hold for every byte of it. What `receive` itself throws is thrown on,
   * after the connection was dropped.
   */
  stream<T>(
    request: EgressRequest,
    receive: (response: StreamedResponse) => Promise<T>,
  ): Promise<Result<T, EgressFailure>>
  /** Ends the idle connections; requests on their way finish by themselves. */
  close(): void
}

const IDLE: IdleLimits = { perOrigin: 8, total: 1_024, keepMs: 4_000 }

export function openEgress(options: EgressOptions): Egress {
  const { policy, clock, resolver = dnsResolver(), dialer = socketDialer(), telemetry } = options
  const limits = { ...IDLE, ...options.idle }
  const idle = openIdleConnections(limits)
  const needs = { policy, resolver, dialer, idle, keepMs: limits.keepMs }
  const observe = measure(clock, telemetry)

  function call<T>(request: EgressRequest, receive: Receiver<T>): Promise<Result<T, EgressFailure>> {
    return observe(request, async () => {
      announceSlowAct('HTTP request')
      const trip = startTrip(clock, request)
      try {
        return accept(await travel(needs, request, trip, (response) => receive(response, trip)))
      } catch (error) {
        if (error instanceof EgressInterruption) return decline(error.failure)
        throw error
      } finally {
        trip.end()
      }
    })
  }

  return {
    send: (request) => call(request, collect),
    stream: (request, receive) => call(request, receive),
    close: () => idle.close(),
  }
}

type Receiver<T> = (response: StreamedResponse, trip: Trip) => Promise<T>

async function collect({ status, headers, body }: StreamedResponse, trip: Trip): Promise<EgressResponse> {
  const chunks: Uint8Array[] = []
  for await (const chunk of body) chunks.push(chunk)
  return { status, headers, body: Buffer.concat(chunks), timings: trip.timings() }
}
