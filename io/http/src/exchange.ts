import type { ErrorKey } from '@sealpost/protocol'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { BoundOperation } from './bound-operation.ts'
import type { IncomingCall } from './call.ts'
import type { Lease, StoredAnswer } from './idempotency/port.ts'
import type { ServerOptions } from './server-options.ts'

/** One request on its way from the first hook to the log line; each step fills in what it found out. */
export interface Exchange {
  /** Of the server that took it. */
  readonly options: ServerOptions
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly startedAtMs: number
  /** Null while no operation is known to be meant. */
  route: BoundOperation | null
  call: IncomingCall | null
  caller: unknown
  callerName: string | null
  params: unknown
  located: unknown
  query: unknown
  bodyBytes: Buffer | null
  body: unknown
  lease: Lease | null
  /** The handler put the answer into its own transaction. */
  isAnswerStored: boolean
  replay: StoredAnswer | null
  answer: unknown
  errorKey: ErrorKey | null
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

export function openExchange(options: ServerOptions, request: FastifyRequest, reply: FastifyReply): Exchange {
  return {
    options,
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
    bodyBytes: null,
    body: undefined,
    lease: null,
    isAnswerStored: false,
    replay: null,
    answer: undefined,
    errorKey: null,
    onClosed: null,
  }
}
