import { isIP } from 'node:net'
import type { RequestId } from '@sealpost/kernel'
import type { Operation } from '@sealpost/protocol'
import type { FastifyRequest } from 'fastify'
import type { Call } from './gates.ts'

const BEARER = /^bearer +(\S.*)$/i
const MAPPED = '::ffff:'
/** All callers whose address is unknown count as one. */
const NO_ADDRESS = 'unknown'

/** Reads address and token only when a gate needs them: most routes need one of the two. */
export class IncomingCall implements Call {
  readonly operation: Operation
  readonly path: string
  readonly requestId: RequestId
  readonly #request: FastifyRequest

  constructor(operation: Operation, request: FastifyRequest) {
    this.operation = operation
    this.path = pathOf(request)
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- made by `requestIdOf`, kept by Fastify as text
    this.requestId = request.id as RequestId
    this.#request = request
  }

  get ip(): string {
    const address = addressOf(this.#request)
    const plain = address.startsWith(MAPPED) ? address.slice(MAPPED.length) : address
    // A trusted proxy forwards the header unchecked; text that is no address would get a rate bucket of its own.
    return isIP(plain) === 0 ? (this.#request.socket.remoteAddress ?? NO_ADDRESS) : plain
  }

  get bearer(): string | null {
    const header = this.#request.headers.authorization
    return header === undefined ? null : (BEARER.exec(header)?.[1] ?? null)
  }

  get authorization(): string | null {
    return this.#request.headers.authorization ?? null
  }

  get origin(): string | null {
    return this.#request.headers.origin ?? null
  }

  get accept(): string | null {
    return this.#request.headers.accept ?? null
  }

  get userAgent(): string | null {
    return this.#request.headers['user-agent'] ?? null
  }

  get idempotencyKey(): string | null {
    const header = this.#request.headers['idempotency-key']
    return typeof header === 'string' ? header : null
  }

  get lastEventId(): string | null {
    const header = this.#request.headers['last-event-id']
    return typeof header === 'string' ? header : null
  }

  /** The first cookie of that name: the browser sends the one with the longer path first. */
  cookie(name: string): string | null {
    const pairs = (this.#request.headers.cookie ?? '').split(';').map((pair) => pair.trim())
    const found = pairs.find((pair) => pair.startsWith(`${name}=`))
    return found === undefined ? null : found.slice(name.length + 1)
  }
}

/** Fastify declares it as text; it is undefined for a caller who left before the connection was accepted. */
function addressOf(request: FastifyRequest): string {
  const address: string | undefined = request.ip
  return address ?? NO_ADDRESS
}

/** See [Note: canonical path]; the server rewrote the URL before routing. */
export function pathOf(request: FastifyRequest): string {
  const { url } = request
  const end = url.indexOf('?')
  return end === -1 ? url : url.slice(0, end)
}

export function queryTextOf(request: FastifyRequest): string {
  const { url } = request
  const start = url.indexOf('?')
  return start === -1 ? '' : url.slice(start + 1)
}
