import type { IncomingMessage } from 'node:http'
import type { Ids } from '@sealpost/kernel'
import type { Telemetry } from '@sealpost/telemetry'
import type { FastifyInstance } from 'fastify'
import type { IdempotencyStore } from './idempotency/port.ts'
import type { PathRefusal } from './path.ts'
import type { RequestRecorder } from './request-record.ts'
import type { ServedRoute } from './served-route.ts'

export interface ServerOptions {
  readonly telemetry: Telemetry
  readonly ids: Ids
  /** The word in `X-<Vendor>-Api-Version`. */
  readonly headerVendor: string
  readonly apiVersion: string
  /** Addresses and networks whose `X-Forwarded-For` is believed. */
  readonly trustedProxies: readonly string[]
  /** Origins of the web apps; all others get no CORS headers. */
  readonly appOrigins: readonly string[]
  /** Needed as soon as a bound operation creates something. */
  readonly idempotency?: IdempotencyStore
  /** For operations without a limit of their own; 1 MiB unless told. */
  readonly maxBodyBytes?: number
  /** How long a caller may take to send a request; 120 s unless told. */
  readonly requestTimeoutMs?: number
  /** For tests: an answer that the operation does not promise becomes a 500 that says so. See [Note: strict contract]. */
  readonly strictContract?: boolean
}

/** A listener with the house rules; `bindRoute` adds operations to it, plugins may add routes of their own. */
export interface HttpServer {
  readonly fastify: FastifyInstance
  readonly options: ServerOptions
  readonly house: HouseHeaders
  readonly recorder: RequestRecorder
  readonly routes: ServedRoute[]
  /** Why the path of a request was refused before any route was looked for. */
  readonly pathRefusals: WeakMap<IncomingMessage, PathRefusal>
  /** Set while closing: a connection ends with the answer that it is waiting for. */
  isClosing: boolean
  /** Set while draining: answers tell callers not to use the connection again. */
  isDraining: boolean
  /** Answers the base address. Port 0 takes a free one. */
  listen(address: { readonly host: string; readonly port: number }): Promise<string>
  /** Serves on, and ends each connection with its next answer: nobody is then on one when it is closed. */
  drain(): void
  /** Stops accepting, lets requests in flight finish, and after `graceMs` ends the rest. */
  close(graceMs: number): Promise<void>
}

/** Headers whose names follow the vendor, made once. */
export interface HouseHeaders {
  readonly versionHeader: string
  readonly apiVersion: string
  readonly origins: ReadonlySet<string>
  readonly exposed: string
}
