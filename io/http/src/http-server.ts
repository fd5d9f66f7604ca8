import type { IncomingMessage } from 'node:http'
import type { FastifyInstance } from 'fastify'
import type { HouseHeaders } from './house-headers.ts'
import type { PathRefusal } from './path.ts'
import type { RequestRecorder } from './request-record.ts'
import type { ServedRoute } from './served-route.ts'
import type { ServerOptions } from './server-options.ts'

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
