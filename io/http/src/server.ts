import type { IncomingMessage } from 'node:http'
import { refuse } from '@sealpost/protocol'
import Fastify, { type FastifyReply, type FastifyRequest } from 'fastify'
import { addressName } from './address.ts'
import { ADMISSION_LIMITS, openAdmission } from './admission.ts'
import type { Fault } from './body/json.ts'
import { openLargeBodies } from './body/large-bodies.ts'
import { allowOrigin } from './cors.ts'
import { type Exchange, openExchange } from './exchange.ts'
import { openHalfSent } from './half-sent.ts'
import { openHeldRefusals } from './held-refusals.ts'
import { houseHeaders } from './house-headers.ts'
import type { HttpServer } from './http-server.ts'
import { INFLIGHT_LIMITS, openInflight } from './inflight.ts'
import { INTAKE_LIMITS, openIntake } from './intake.ts'
import { openLoadSensor } from './load-sensor.ts'
import { answerMalformed, answerTunnel } from './malformed.ts'
import { canonicalPath } from './path.ts'
import { warnOfProxy } from './proxy-warning.ts'
import { READER_LIMIT } from './reader-limit.ts'
import { watchReaders } from './readers.ts'
import { sendRefusal, toRefusal } from './refusal.ts'
import { openRecorder } from './request-record.ts'
import type { ServerOptions } from './server-options.ts'
import { SOCKET_LIMITS, watchSockets } from './sockets.ts'
import { answerUnmatched } from './unmatched.ts'
import { invalid } from './validation.ts'

/** That the system accepts before the process does; Node asks for 511. A full queue drops connections without a sign. */
const WAITING_CONNECTIONS = 4096
const LONGEST_CHECK_MS = 5000
const LONGEST_PARAM = 2048
const REQUEST_ID = /^[\w-]{1,64}$/
const ABSOLUTE_FORM = /^https?:\/\/[^/?#]*/i
const HOST = 'host'
/** No bound route has an empty segment, so this leads to the handler of unmatched requests. */
const NOWHERE = '//'

export function openServer(options: ServerOptions): HttpServer {
  const sockets = { ...SOCKET_LIMITS, ...options.sockets }
  const readers = options.readers ?? READER_LIMIT
  const fastify = Fastify({
    trustProxy: options.trustedProxies.length > 0 ? [...options.trustedProxies] : false,
    genReqId: (raw: IncomingMessage) => requestIdOf(raw) ?? options.ids.uuid(),
    requestIdHeader: false,
    rewriteUrl: (raw) => canonicalUrl(server, raw),
    routerOptions: { maxParamLength: LONGEST_PARAM },
    requestTimeout: sockets.requestTimeoutMs,
    // For sockets on which nothing happens: later than the limits of requests, which are answered, and of readers.
    connectionTimeout: 2 * Math.max(sockets.requestTimeoutMs, readers.windowMs),
    http: {
      // `receive` refuses a request without Host, with the house body where Node would send an empty one.
      requireHostHeader: false,
      headersTimeout: Math.min(sockets.headersTimeoutMs, sockets.requestTimeoutMs),
      connectionsCheckingInterval: Math.min(LONGEST_CHECK_MS, Math.ceil(sockets.headersTimeoutMs / 4)),
    },
    return503OnClosing: false,
    clientErrorHandler: (error, socket) => answerMalformed(server, error, socket),
    frameworkErrors: (error, request, reply) => {
      if (receive(server, request, reply)) sendRefusal(request.exchange, toRefusal(request.exchange, error))
    },
  })
  const server: HttpServer = {
    fastify,
    options,
    house: houseHeaders(options),
    recorder: openRecorder(options.telemetry),
    readers: watchReaders(options.telemetry.log, readers),
    routes: [],
    inflight: openInflight({ ...INFLIGHT_LIMITS, ...options.inflight }, options.telemetry),
    admission: openAdmission(
      { ...ADMISSION_LIMITS, ...options.admission },
      openLoadSensor(options.isCrowded ?? (() => false)),
      options.telemetry,
    ),
    intake: openIntake({ ...INTAKE_LIMITS, ...options.intake }),
    heldRefusals: openHeldRefusals(),
    halfSent: openHalfSent(sockets),
    largeBodies: openLargeBodies(options.telemetry),
    pathRefusals: new WeakMap(),
    listen: (address) => fastify.listen({ ...address, backlog: WAITING_CONNECTIONS }),
    isClosing: false,
    isDraining: false,
    drain() {
      server.isDraining = true
    },
    close: (graceMs) => close(server, graceMs),
  }
  install(server)
  warnOfProxy(server)
  watchSockets(fastify.server, sockets, options.trustedProxies, options.telemetry)
  return server
}

function install(server: HttpServer): void {
  const { fastify } = server
  fastify.decorateRequest('exchange')
  fastify.removeAllContentTypeParsers()
  // Each route's steps read the body themselves; see [Note: all in onRequest].
  fastify.addContentTypeParser('*', (_request, _payload, done) => done(null))
  fastify.addHook('onRequest', (request, reply, done) => {
    if (receive(server, request, reply)) done()
  })
  fastify.setErrorHandler((error, request) => {
    sendRefusal(request.exchange, toRefusal(request.exchange, error))
  })
  // For a route of a plugin that finds no file; `receive` answers addresses without a route.
  fastify.setNotFoundHandler((request) => {
    sendRefusal(request.exchange, refuse('request.not_found'))
  })
  // Node would answer an unknown `Expect` with an empty 417; RFC 9110 also allows ignoring it.
  fastify.server.on('checkExpectation', (raw, response) => fastify.server.emit('request', raw, response))
  fastify.server.on('connect', (_raw, socket) => answerTunnel(server, socket))
}

/** Common to all requests. Returns whether the request may continue. */
function receive(server: HttpServer, request: FastifyRequest, reply: FastifyReply): boolean {
  const exchange = openExchange(server, request, reply)
  request.exchange = exchange
  reply.header('x-request-id', request.id)
  reply.header(server.house.versionHeader, server.house.apiVersion)
  if (server.isDraining) reply.header('connection', 'close')
  reply.raw.on('close', () => {
    server.recorder.record(exchange)
    exchange.onClosed?.(reply.raw.writableFinished)
    if (!exchange.isWorking) exchange.ticket?.release()
    if (server.isClosing) server.fastify.server.closeIdleConnections()
  })
  server.readers.watch(exchange)
  if (request.headers.origin !== undefined) allowOrigin(server.house, request, reply)
  if (!server.halfSent.enter(exchange, addressName(request.ip), () => endLate(server, exchange))) {
    reply.header('connection', 'close')
    sendRefusal(exchange, refuse('platform.busy'))
    return false
  }
  const fault = protocolFault(request)
  if (fault !== null) {
    sendRefusal(exchange, invalid('headers', [fault]))
    return false
  }
  if (request.is404) {
    answerUnmatched(server, exchange)
    return false
  }
  return true
}

/** The answer to a refused call has been sent; the others get one that says why. */
function endLate(server: HttpServer, { request: { raw }, reply }: Exchange): void {
  if (reply.raw.writableEnded) raw.socket.destroy()
  else answerMalformed(server, Object.assign(new Error('late body'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }), raw.socket)
}

/** Faults that Node's parser accepts, or would refuse with an empty body. */
function protocolFault({ headers, raw }: FastifyRequest): Fault | null {
  if (raw.httpVersionMajor !== 1) return { path: '', message: 'must use a supported version of HTTP' }
  if (raw.httpVersionMinor === 1 && headers.host === undefined) return { path: '/Host', message: 'is required' }
  return hasSeveralHosts(raw) ? { path: '/Host', message: 'must be given once' } : null
}

/** Node takes the first and a proxy may take the last. */
function hasSeveralHosts({ rawHeaders }: IncomingMessage): boolean {
  let hosts = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? ''
    if (name.length === HOST.length && name.toLowerCase() === HOST) hosts += 1
  }
  return hosts > 1
}

function requestIdOf(raw: IncomingMessage): string | null {
  const given = raw.headers['x-request-id']
  return typeof given === 'string' && REQUEST_ID.test(given) ? given : null
}

function canonicalUrl(server: HttpServer, raw: IncomingMessage): string {
  const url = (raw.url ?? '/').replace(ABSOLUTE_FORM, '')
  const end = url.indexOf('?')
  const given = end === -1 ? url : url.slice(0, end)
  const path = canonicalPath(given)
  if (path.ok) return path.value === given ? url : path.value + url.slice(given.length)
  server.pathRefusals.set(raw, path.refusal)
  return NOWHERE
}

async function close(server: HttpServer, graceMs: number): Promise<void> {
  const { fastify } = server
  server.isClosing = true
  const timer = setTimeout(() => fastify.server.closeAllConnections(), graceMs)
  try {
    await fastify.close()
  } finally {
    server.readers.close()
    clearTimeout(timer)
    server.largeBodies.close()
  }
}
