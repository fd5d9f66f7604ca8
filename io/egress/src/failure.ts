import { unreachable } from '@sealpost/kernel'
import type { SpecialRange } from './special-ranges.ts'

export type RefusalReason =
  | SpecialRange
  | 'url_malformed'
  | 'scheme'
  | 'credentials'
  | 'port'
  | 'platform_host'
  | 'resolver_answer'
  | 'request_malformed'
  | 'redirect_malformed'
  | 'redirect_downgrade'
  | 'redirect_limit'

/** The stage a request had reached. */
export type Stage = 'resolve' | 'connect' | 'wait' | 'read'

/** Why a request has no answer. Only `refused` is our own decision; nothing was sent to a refused target. */
export type EgressFailure =
  | { readonly kind: 'refused'; readonly reason: RefusalReason }
  | { readonly kind: 'dns'; readonly code: string }
  | { readonly kind: 'connect'; readonly code: string }
  | { readonly kind: 'tls'; readonly code: string }
  | { readonly kind: 'timeout'; readonly stage: Stage }
  | { readonly kind: 'too_large'; readonly limitBytes: number; readonly status: number }
  | { readonly kind: 'protocol'; readonly code: string }
  | { readonly kind: 'aborted' }

/** Carries a failure up to the one place that turns it into an answer. */
export class EgressInterruption extends Error {
  override readonly name = 'EgressInterruption'
  readonly failure: EgressFailure

  constructor(failure: EgressFailure, options?: ErrorOptions) {
    super(describeFailure(failure), options)
    this.failure = failure
  }
}

export function interruptRefused(reason: RefusalReason): EgressInterruption {
  return new EgressInterruption({ kind: 'refused', reason })
}

export function codeOf(error: unknown): string | null {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : null
}

export function reasonOf(signal: AbortSignal): Error {
  return signal.reason instanceof Error ? signal.reason : new EgressInterruption({ kind: 'aborted' })
}

/**
 * One sentence for a delivery log; it names no address, so that it may be shown to the customer who chose the target.
 */
export function describeFailure(failure: EgressFailure): string {
  switch (failure.kind) {
    case 'refused':
      return REFUSALS[failure.reason]
    case 'dns':
      return `the host name could not be resolved (${failure.code})`
    case 'connect':
      return `no connection could be made (${failure.code})`
    case 'tls':
      return `the TLS connection was not trusted or failed (${failure.code})`
    case 'timeout':
      return TIMEOUTS[failure.stage]
    case 'too_large':
      return `the answer (status ${failure.status}) is larger than ${failure.limitBytes} bytes`
    case 'protocol':
      return `the target sent an invalid HTTP response (${failure.code})`
    case 'aborted':
      return 'the request was cancelled by its sender'
    default:
      return unreachable(failure)
  }
}

const TIMEOUTS = {
  resolve: 'the host name was not resolved in time',
  connect: 'the target did not accept a connection in time',
  wait: 'the target did not answer in time',
  read: 'the answer began but did not end in time',
} satisfies Record<Stage, string>

const ADDRESS = 'the target is not a public address'
const REFUSALS = {
  unspecified: `${ADDRESS} (unspecified)`,
  loopback: `${ADDRESS} (loopback)`,
  private: `${ADDRESS} (private network)`,
  carrier_nat: `${ADDRESS} (carrier-grade NAT)`,
  link_local: `${ADDRESS} (link-local)`,
  unique_local: `${ADDRESS} (unique local IPv6)`,
  multicast: `${ADDRESS} (multicast)`,
  broadcast: `${ADDRESS} (broadcast)`,
  documentation: `${ADDRESS} (documentation range)`,
  benchmark: `${ADDRESS} (benchmark range)`,
  tunnel: `${ADDRESS} (tunnel prefix)`,
  reserved: `${ADDRESS} (reserved range)`,
  url_malformed: 'the URL is malformed',
  scheme: 'only http and https URLs are allowed',
  credentials: 'the URL carries a user name or password; use a header instead',
  port: 'this port is not allowed',
  platform_host: 'the target belongs to this platform',
  resolver_answer: 'the host name resolves to an invalid address',
  request_malformed: 'the request has a header or method that cannot be sent',
  redirect_malformed: 'the redirect has no valid URL',
  redirect_downgrade: 'the redirect leads from https to http',
  redirect_limit: 'the target redirected too often',
} satisfies Record<RefusalReason, string>
