import { EngineError } from '@sealpost/kernel'
import { ApiError, oauthErrorBody, refusalOfEngine, refuse } from '@sealpost/protocol'
import type { BoundOperation } from './bound-operation.ts'
import { pathOf } from './call.ts'
import type { Exchange } from './exchange.ts'
import { helpLink } from './help-link.ts'
import { discardBody } from './intake.ts'
import { prefersXml } from './negotiation.ts'
import { invalid } from './validation.ts'
import { writeXml } from './xml.ts'

export const JSON_TYPE = 'application/json; charset=utf-8'
export const XML_TYPE = 'application/xml; charset=utf-8'
const OAUTH_SHAPED = new Set(['/oauth2/token', '/oauth2/result', '/oauth2/revoke'])

/** Converts anything thrown into a refusal. Errors that are not ours are written to the log only. */
export function toRefusal(exchange: Exchange, error: unknown): ApiError {
  const refusal =
    error instanceof ApiError
      ? error
      : (refusalOfFastify(error) ?? refusalOfFailure(exchange, error) ?? logUnexpected(exchange, error))
  const breach = exchange.route?.contract?.breachOfError(refusal.key) ?? null
  return breach === null ? refusal : reportBreach(exchange, breach)
}

/** `about` is the route whose error format applies, where it is not the matched one. */
export function sendRefusal(exchange: Exchange, refusal: ApiError, about = exchange.route): void {
  const { reply } = exchange
  exchange.errorKey = refusal.key
  exchange.onClosed?.(false)
  exchange.onClosed = null
  if (reply.sent || reply.raw.headersSent) {
    reply.raw.destroy()
    return
  }
  if (refusal.retryAfterSeconds !== undefined) reply.header('retry-after', String(refusal.retryAfterSeconds))
  reply.headers(refusal.headers)
  reply.header('link', helpLink(exchange.options.errorsUrl, refusal.key))
  const challenge = challengeFor(exchange, refusal)
  if (challenge !== null) reply.header('www-authenticate', challenge)
  reply.code(refusal.status)
  const body = errorBody(exchange, refusal)
  const isXml = wantsXml(exchange, about)
  reply.header('content-type', isXml ? XML_TYPE : JSON_TYPE)
  reply.send(isXml ? writeXml(body) : JSON.stringify(body))
  // See [Note: intake].
  discardBody(exchange.request.raw, (bytes) => exchange.intake.take(senderOf(exchange), bytes))
}

/** Whose bytes arrive: the caller, or the address of one who is not known yet. */
export function senderOf({ owner, request }: Exchange): string {
  return owner ?? request.ip
}

/** See [Note: strict contract]. */
export function reportBreach(exchange: Exchange, breach: string): ApiError {
  exchange.options.telemetry.log.error({ request_id: exchange.request.id, breach }, 'contract broken')
  return refuse('platform.internal_error', undefined, { sentence: `contract broken: ${breach}` })
}

export function wantsXml({ request }: Exchange, route: BoundOperation | null): boolean {
  return route !== null && route.answersXml && prefersXml(request.headers.accept)
}

function errorBody({ request }: Exchange, refusal: ApiError): unknown {
  return OAUTH_SHAPED.has(pathOf(request)) ? oauthErrorBody(refusal) : refusal.body()
}

function challengeFor({ request }: Exchange, { key }: ApiError): string | null {
  if (key === 'auth.token_missing') return 'Bearer'
  if (key === 'oauth.bad_client') return /^basic /i.test(request.headers.authorization ?? '') ? 'Basic' : null
  return key === 'auth.token_invalid' || key === 'auth.expired' ? 'Bearer error="invalid_token"' : null
}

/** Only codes of Fastify's own request parsing count: `statusCode` on an error may come from anywhere. */
function refusalOfFastify(error: unknown): ApiError | null {
  const code: unknown = error instanceof Error ? Reflect.get(error, 'code') : undefined
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') return refuse('request.too_large')
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return refuse('request.unsupported_media_type')
  if (code === 'FST_ERR_BAD_URL' || code === 'FST_ERR_MAX_PARAM_LENGTH') return refuse('request.not_found')
  if (typeof code !== 'string' || !code.startsWith('FST_ERR_CTP_')) return null
  return invalid('body', [{ path: '', message: 'cannot be read' }])
}

function refusalOfFailure(exchange: Exchange, error: unknown): ApiError | null {
  if (!(error instanceof EngineError)) return null
  const operation = exchange.route?.operation.id ?? null
  const { log } = exchange.options.telemetry
  log.warn({ err: error, operation, request_id: exchange.request.id }, `the ${error.engine} failed a call`)
  return refusalOfEngine(error)
}

function logUnexpected(exchange: Exchange, error: unknown): ApiError {
  const operation = exchange.route?.operation.id ?? null
  exchange.options.telemetry.log.error({ err: error, operation, request_id: exchange.request.id }, 'unexpected')
  return refuse('platform.internal_error')
}
