import type { ClientId, UnknownMember } from '@sealpost/kernel'
import type { ErrorKey } from '@sealpost/protocol'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Admission } from './admission.ts'
import type { BoundOperation } from './bound-operation.ts'
import type { IncomingCall } from './call.ts'
import type { HeldRefusals } from './held-refusals.ts'
import type { Lease, StoredAnswer } from './idempotency/port.ts'
import type { Ticket } from './inflight.ts'
import type { Intake } from './intake.ts'
import type { ServerOptions } from './server-options.ts'
import type { Place } from './waiting-lines.ts'

/** The state of one request from the first hook to the log line; each step adds its results. */
export interface Exchange {
  /** The options of the server that received it. */
  readonly options: ServerOptions
  /** Of the same server. */
  readonly intake: Intake
  readonly heldRefusals: HeldRefusals
  readonly admission: Admission
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly startedAtMs: number
  /** Null until the operation is known. */
  route: BoundOperation | null
  call: IncomingCall | null
  caller: unknown
  callerName: string | null
  params: unknown
  located: unknown
  query: unknown
  body: unknown
  /** Members of the body that the operation does not know: they are ignored, and an accepted call names them. */
  unknownMembers: readonly UnknownMember[]
  /** Of the body of a call with an Idempotency-Key. */
  bodySha256: string | null
  /** The owner of the rate and the share that the call uses; null for a route without calls in flight. */
  owner: string | null
  /** Its place among the calls in flight; null for a route without one. */
  ticket: Ticket | null
  /** Its place among the calls that the process works on; null before its work may begin. */
  place: Place | null
  isAdmitted: boolean
  /** Whether a step still works for the call; the answer may be sent, or the caller gone, before or after. */
  isWorking: boolean
  /** Called when the last step has ended. */
  onWorked: (() => void) | null
  lease: Lease | null
  /** The answer that an operation stored in its own transaction. */
  storedAnswer: StoredAnswer | null
  replay: StoredAnswer | null
  answer: unknown
  /** When the head of a stream was sent: a stream lasts, and ends when its reader leaves. Null for other answers. */
  streamedAtMs: number | null
  errorKey: ErrorKey | null
  /** The client that a refused OAuth call names, which is not authenticated. */
  namedClient: ClientId | null
  onClosed: ((delivered: boolean) => void) | null
}

/** An exchange whose operation is known. */
export interface Served extends Exchange {
  route: BoundOperation
  call: IncomingCall
}

declare module 'fastify' {
  interface FastifyRequest {
    exchange: Exchange
  }
}

export function openExchange(
  { options, intake, heldRefusals, admission }: Pick<Exchange, 'options' | 'intake' | 'heldRefusals' | 'admission'>,
  request: FastifyRequest,
  reply: FastifyReply,
): Exchange {
  return {
    options,
    intake,
    heldRefusals,
    admission,
    request,
    reply,
    startedAtMs: performance.now(),
    route: null,
    call: null,
    caller: null,
    callerName: null,
    params: undefined,
    located: undefined,
    query: undefined,
    body: undefined,
    unknownMembers: [],
    bodySha256: null,
    owner: null,
    ticket: null,
    place: null,
    isAdmitted: false,
    isWorking: false,
    onWorked: null,
    lease: null,
    storedAnswer: null,
    replay: null,
    answer: undefined,
    streamedAtMs: null,
    errorKey: null,
    namedClient: null,
    onClosed: null,
  }
}
