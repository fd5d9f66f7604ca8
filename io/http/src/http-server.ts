import type { IncomingMessage } from 'node:http'
import type { FastifyInstance } from 'fastify'
import type { Admission } from './admission.ts'
import type { LargeBodies } from './body/large-bodies.ts'
import type { HalfSent } from './half-sent.ts'
import type { HeldRefusals } from './held-refusals.ts'
import type { HouseHeaders } from './house-headers.ts'
import type { Inflight } from './inflight.ts'
import type { Intake } from './intake.ts'
import type { PathRefusal } from './path.ts'
import type { Readers } from './readers.ts'
import type { RequestRecorder } from './request-record.ts'
import type { ServedRoute } from './served-route.ts'
import type { ServerOptions } from './server-options.ts'

/**
 * A listener with the common rules of our APIs; `bindRoute` adds operations to it, plugins may add routes of their own.
 */
export interface HttpServer {
  readonly fastify: FastifyInstance
  readonly options: ServerOptions
  readonly house: HouseHeaders
  readonly recorder: RequestRecorder
  readonly readers: Readers
  readonly routes: ServedRoute[]
  readonly inflight: Inflight
  readonly admission: Admission
  readonly intake: Intake
  readonly heldRefusals: HeldRefusals
  readonly halfSent: HalfSent
  readonly largeBodies: LargeBodies
  /** Why the path of a request was refused before routing. */
  readonly pathRefusals: WeakMap<IncomingMessage, PathRefusal>
  /** Set while closing: a connection ends with its pending answer. */
  isClosing: boolean
  /** Set while draining: answers carry `Connection: close`. */
  isDraining: boolean
  /** Returns the base address. Port 0 takes a free port. */
  listen(address: { readonly host: string; readonly port: number }): Promise<string>
  /**
   * Keeps serving and ends each connection with its next answer, so that no connection is in use when the server
   * closes.
   */
  drain(): void
  /** Stops accepting, waits for requests in flight, and ends the rest after `graceMs`. */
  close(graceMs: number): Promise<void>
}
