import type { FastifyReply, FastifyRequest } from 'fastify'
import { pathOf } from './call.ts'
import type { HouseHeaders } from './house-headers.ts'

const REQUEST_HEADERS = 'Authorization, Content-Type, Idempotency-Key, Last-Event-ID, X-Request-Id'
/** Without Authorization: no page can send a token to a server that is open to all. */
const OPEN_REQUEST_HEADERS = 'Content-Type, X-Request-Id'
const METHODS = 'GET, POST, PUT, DELETE'
const OPEN_OAUTH_PATHS = new Set(['/oauth2/token', '/oauth2/jwks', '/oauth2/result', '/oauth2/authorize'])
const PREFLIGHT_SECONDS = '7200'

/** Whether scripts of the web apps may call a path at all. */
export function isOpenToApps(path: string): boolean {
  return path.startsWith('/api/') || OPEN_OAUTH_PATHS.has(path)
}

/** Allows the page of a web app to read the answer. Only session routes use cookies; the rest use a bearer token. */
export function allowOrigin(house: HouseHeaders, request: FastifyRequest, reply: FastifyReply): boolean {
  const { origin } = request.headers
  if (house.origins === 'all') {
    reply.header('access-control-allow-origin', '*')
    reply.header('access-control-expose-headers', house.exposed)
    return true
  }
  const path = pathOf(request)
  if (origin === undefined || !house.origins.has(origin) || !isOpenToApps(path)) return false
  reply.header('access-control-allow-origin', origin)
  reply.header('access-control-expose-headers', house.exposed)
  if (path.startsWith('/api/session')) reply.header('access-control-allow-credentials', 'true')
  return true
}

export function isPreflight(request: FastifyRequest): boolean {
  return request.method === 'OPTIONS' && request.headers['access-control-request-method'] !== undefined
}

export function answerPreflight({ origins }: HouseHeaders, reply: FastifyReply): void {
  const isOpen = origins === 'all'
  reply.header('access-control-allow-methods', isOpen ? 'POST' : METHODS)
  reply.header('access-control-allow-headers', isOpen ? OPEN_REQUEST_HEADERS : REQUEST_HEADERS)
  reply.header('access-control-max-age', PREFLIGHT_SECONDS)
  if (!isOpen) reply.header('vary', 'Origin')
  reply.code(204).send()
}
