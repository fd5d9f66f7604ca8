import { accept, announceSlowCall, decline, type Clock, type Result } from '@sealpost/kernel'
import type { Telemetry } from '@sealpost/telemetry'
import { openIdleConnections, type IdleLimits } from './connections.ts'
import { socketDialer, type Dialer } from './dialer.ts'
import { EgressInterruption, type EgressFailure } from './failure.ts'
import { measure } from './measure.ts'
import type { EgressPolicy } from './policy.ts'
import type { EgressRequest, EgressResponse, EgressStatus, StreamedResponse } from './request.ts'
import { dnsResolver, rememberAnswers, type Resolver } from './resolver.ts'
import { targetReader } from './target.ts'
import { travel, travelUnstreamed } from './travel.ts'
import { startTrip, type Trip } from './trip.ts'

export interface EgressOptions {
  readonly policy: EgressPolicy
  readonly clock: Clock
  readonly resolver?: Resolver
  readonly dialer?: Dialer
  readonly telemetry?: Telemetry
  readonly idle?: Partial<IdleLimits>
}

/** The only way for our servers to send HTTP requests. */
export interface Egress {
  /** The whole answer in memory. */
  send(request: EgressRequest): Promise<Result<EgressResponse, EgressFailure>>
  /** The status alone; the answer is read and discarded. Redirects are not followed: a 3xx is the answer. */
  sendForStatus(request: EgressRequest): Promise<Result<EgressStatus, EgressFailure>>
  /**
   * Passes the answer on as it arrives; the limits apply to every byte of it. An error of `receive` is rethrown after
   * the connection was destroyed.
   */
  stream<T>(
    request: EgressRequest,
    receive: (response: StreamedResponse) => Promise<T>,
  ): Promise<Result<T, EgressFailure>>
  /** Ends the idle connections; pending requests finish on their own. */
  close(): void
}

/**
 * Many webhooks of one origin send concurrently; an origin that had that many busy sockets may keep them for some
 * seconds.
 */
const IDLE: IdleLimits = { perOrigin: 1_024, total: 4_096, keepMs: 4_000 }

export function openEgress(options: EgressOptions): Egress {
  const { policy, clock, resolver = rememberAnswers(dnsResolver()), dialer = socketDialer(), telemetry } = options
  const limits = { ...IDLE, ...options.idle }
  const idle = openIdleConnections(limits)
  const context = { policy, resolver, dialer, idle, keepMs: limits.keepMs, readTarget: targetReader(policy) }
  const observe = measure(clock, telemetry)

  function call<T>(request: EgressRequest, work: (trip: Trip) => Promise<T>): Promise<Result<T, EgressFailure>> {
    return observe(request, async () => {
      announceSlowCall('HTTP request')
      const trip = startTrip(clock, request)
      try {
        return accept(await work(trip))
      } catch (error) {
        if (error instanceof EgressInterruption) return decline(error.failure)
        throw error
      } finally {
        trip.end()
      }
    })
  }

  return {
    send: (request) =>
      call(request, async (trip) => {
        const { status, headers, body } = await (request.redirects
          ? travel(context, request, trip, collect)
          : travelUnstreamed(context, request, trip, 'whole'))
        return { status, headers, body, timings: trip.timings() }
      }),
    sendForStatus: (request) =>
      call(request, async (trip) => {
        const { status } = await travelUnstreamed(context, request, trip, 'status')
        return { status, timings: trip.timings() }
      }),
    stream: (request, receive) => call(request, (trip) => travel(context, request, trip, receive)),
    close: () => idle.close(),
  }
}

async function collect({ status, headers, body }: StreamedResponse): Promise<Omit<EgressResponse, 'timings'>> {
  const chunks: Uint8Array[] = []
  for await (const chunk of body) chunks.push(chunk)
  return { status, headers, body: Buffer.concat(chunks) }
}
