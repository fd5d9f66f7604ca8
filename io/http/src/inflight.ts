import { refuse } from '@sealpost/protocol'
import type { BoundCounter, Telemetry } from '@sealpost/telemetry'

/** Limits of what this process works on at once. */
export interface InflightLimits {
  /** Calls of one caller. */
  readonly callerCalls: number
  /** Bytes of the bodies of one caller. */
  readonly callerBytes: number
  /** Bytes of all bodies. */
  readonly processBytes: number
}

const MIB = 1_048_576
export const INFLIGHT_LIMITS: InflightLimits = {
  callerCalls: 16,
  callerBytes: 128 * MIB,
  processBytes: 512 * MIB,
}

/** The calls in flight of a server, by caller. */
export interface Inflight {
  /** Counts a call; throws 429 when the caller has too many. */
  enter(caller: string): Ticket
}

/** A call in flight. */
export interface Ticket {
  /** Counts bytes of its body, until the call ends; throws 429 or 503 when that exceeds a budget. */
  addBytes(count: number): void
  /** The call and its bytes are no longer counted. Further calls of this do nothing. */
  release(): void
}

interface Holder {
  calls: number
  bytes: number
}

const RETRY_AFTER_SECONDS = 1

/**
 * [Note: calls in flight] A rate limits how often a caller calls, not how much of a process its calls occupy: 600 slow ones
 * at once take every database connection, and forty bodies of 64 MiB the memory. Both are counted here from the gates to
 * the end of the call: until the answer is sent, or the caller has left and the work for it has ended.
 */
export function openInflight(limits: InflightLimits, telemetry: Telemetry): Inflight {
  const holders = new Map<string, Holder>()
  const refusals = countRefusals(telemetry)
  const total: Holder = { calls: 0, bytes: 0 }
  telemetry.gauge('http_inflight_calls', 'Calls being served', () => total.calls)
  telemetry.gauge('http_inflight_callers', 'Callers with a call being served', () => holders.size)
  telemetry.gauge('http_inflight_body_bytes', 'Bytes of the bodies of these calls', () => total.bytes)
  return {
    enter(caller) {
      const holder = holders.get(caller) ?? { calls: 0, bytes: 0 }
      if (holder.calls >= limits.callerCalls) {
        refusals.calls.add(1)
        throw refuse('rate.limited', undefined, { retryAfterSeconds: RETRY_AFTER_SECONDS, sentence: TOO_MANY_CALLS })
      }
      holders.set(caller, holder)
      count(holder, total, 1, 0)
      return openTicket({ limits, refusals, holder, total, onEmpty: () => holders.delete(caller) })
    },
  }
}

const TOO_MANY_CALLS = 'Too many calls at once'
const TOO_MANY_BYTES = 'Too many bytes in the bodies of calls at once'

interface Refusals {
  readonly calls: BoundCounter
  readonly callerBytes: BoundCounter
  readonly processBytes: BoundCounter
}

function countRefusals(telemetry: Telemetry): Refusals {
  const counter = telemetry.counter('http_inflight_refusals', 'Calls refused because too much was in flight')
  return {
    calls: counter.bind({ reason: 'calls of the caller' }),
    callerBytes: counter.bind({ reason: 'bytes of the caller' }),
    processBytes: counter.bind({ reason: 'bytes of the process' }),
  }
}

interface TicketOptions {
  readonly limits: InflightLimits
  readonly refusals: Refusals
  readonly holder: Holder
  readonly total: Holder
  readonly onEmpty: () => void
}

function openTicket({ limits, refusals, holder, total, onEmpty }: TicketOptions): Ticket {
  let bytes = 0
  let isReleased = false
  return {
    addBytes(added) {
      if (isReleased) return
      if (holder.bytes + added > limits.callerBytes) {
        refusals.callerBytes.add(1)
        throw refuse('rate.limited', undefined, { retryAfterSeconds: RETRY_AFTER_SECONDS, sentence: TOO_MANY_BYTES })
      }
      if (total.bytes + added > limits.processBytes) {
        refusals.processBytes.add(1)
        throw refuse('platform.busy', undefined, { retryAfterSeconds: RETRY_AFTER_SECONDS })
      }
      bytes += added
      count(holder, total, 0, added)
    },
    release() {
      if (isReleased) return
      isReleased = true
      count(holder, total, -1, -bytes)
      if (holder.calls === 0) onEmpty()
    },
  }
}

function count(holder: Holder, total: Holder, calls: number, bytes: number): void {
  holder.calls += calls
  holder.bytes += bytes
  total.calls += calls
  total.bytes += bytes
}
