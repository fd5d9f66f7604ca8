import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { type ApiError, refuse } from '@sealpost/protocol'
import { helpLink } from './help-link.ts'
import type { HttpServer } from './http-server.ts'
import { JSON_TYPE } from './refusal.ts'

const LINGER_MS = 500

/**
 * Answers bytes that are not HTTP. There is no request object yet, so hooks and routes do not apply; the caller still
 * gets the house body, and the log a line.
 */
export function answerMalformed(server: HttpServer, error: Error, socket: Socket): void {
  const code: unknown = Reflect.get(error, 'code')
  if (code !== 'ECONNRESET' && !socket.destroyed) writeRefusal(server, refusalFor(code), socket)
}

/** CONNECT asks for a tunnel; Node would close the connection without an answer. */
export function answerTunnel(server: HttpServer, socket: Duplex): void {
  writeRefusal(server, refuse('request.method_not_allowed'), socket)
}

function writeRefusal(server: HttpServer, refusal: ApiError, socket: Duplex): void {
  const requestId = server.options.ids.uuid()
  if (socket.writable && !hasAnswerUnderWay(socket)) answerAndClose(socket, responseText(server, refusal, requestId))
  else socket.destroy()
  const fields = { operation: 'malformed', status: refusal.status, request_id: requestId, error_key: refusal.key }
  server.options.telemetry.log.info(fields, 'request')
  server.recorder.malformed.record(refusal.status, 0)
}

/**
 * A peer that never closes its side would keep the socket open for ever, so it is destroyed after a moment: at once, the
 * kernel might discard the answer together with bytes that were not read.
 */
function answerAndClose(socket: Duplex, text: string): void {
  const timer = setTimeout(() => socket.destroy(), LINGER_MS)
  socket.once('close', () => clearTimeout(timer))
  socket.end(text)
  socket.resume()
}

function refusalFor(code: unknown): ApiError {
  if (code === 'HPE_HEADER_OVERFLOW') {
    return refuse('request.too_large', undefined, { sentence: 'The head of the request is too large' })
  }
  const message = code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 'did not arrive in time' : 'is not valid HTTP'
  return refuse('request.invalid', { details: [{ path: '', message }] })
}

/** A second response inside the first would be read as part of it. Node's own handler makes the same check. */
function hasAnswerUnderWay(socket: Duplex): boolean {
  const response: unknown = Reflect.get(socket, '_httpMessage')
  return typeof response === 'object' && response !== null && Reflect.get(response, '_headerSent') === true
}

function responseText({ house, options }: HttpServer, refusal: ApiError, requestId: string): string {
  const body = JSON.stringify(refusal.body())
  return [
    `HTTP/1.1 ${refusal.status} ${STATUS_CODES[refusal.status] ?? ''}`,
    'Connection: close',
    `Content-Type: ${JSON_TYPE}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${requestId}`,
    `Link: ${helpLink(options.errorsUrl, refusal.key)}`,
    `${house.versionHeader}: ${house.apiVersion}`,
    '',
    body,
  ].join('\r\n')
}
