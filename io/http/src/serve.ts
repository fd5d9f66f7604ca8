import { Readable } from 'node:stream'
import type { ActiveSpan } from '@sealpost/telemetry'
import type { FastifyRequest } from 'fastify'
import { answerText, exactBytes, unpackAnswer } from './answer-text.ts'
import { type AnswerExtras, BrowserAnswer } from './answer.ts'
import { IncomingCall } from './call.ts'
import { logCut } from './cut-answer.ts'
import type { Served } from './exchange.ts'
import type { StoredAnswer } from './idempotency/port.ts'
import { recordRefusal, storeAnswerAfterwards } from './idempotency/step.ts'
import { ListAnswer } from './list-answer.ts'
import { JSON_TYPE, reportBreach, sendRefusal, senderOf, toRefusal, wantsXml, XML_TYPE } from './refusal.ts'
import { sendUnchanged, tagAnswer } from './revalidation.ts'
import { sendList } from './send-list.ts'
import { sendStream } from './send-stream.ts'
import type { ServedRoute } from './served-route.ts'
import { runSteps } from './steps.ts'
import { StreamAnswer } from './stream-answer.ts'
import { refusePath } from './unmatched.ts'
import { keptWarnings, setWarnings, withdrawWarnings } from './warnings.ts'
import { writeXml } from './xml.ts'

/** Handles a request whose route is known. */
export function serve(request: FastifyRequest, route: ServedRoute): void {
  const call = new IncomingCall(route.operation, request)
  const exchange: Served = Object.assign(request.exchange, { route, call })
  setRouteHeaders(exchange)
  if (holdsForbiddenSlash(exchange)) {
    refusePath(exchange, 'the path holds an encoded slash')
    return
  }
  const { telemetry } = exchange.options
  telemetry
    .trace(route.operation.id, route.attributes, (span) => proceed(exchange, route.steps, span))
    .catch((error: unknown) => {
      // Not even the refusal could be sent, for example because of a header that Node refuses.
      telemetry.log.error({ err: error, operation: route.operation.id }, 'a request could not be answered')
      exchange.reply.raw.destroy()
    })
}

async function proceed(exchange: Served, steps: ServedRoute['steps'], span: ActiveSpan): Promise<void> {
  exchange.isWorking = true
  try {
    const admitted = enterWork(exchange)
    if (admitted !== null) await admitted
    exchange.isAdmitted = true
    const pending = runSteps(steps, exchange)
    if (pending !== undefined) await pending
    if (exchange.lease !== null) await storeAnswerAfterwards(exchange)
    // A library may have taken over the answer; see bindHandOver.
    if (!exchange.reply.sent) await sendAnswer(exchange)
  } catch (error) {
    const refusal = toRefusal(exchange, error)
    withdrawAnswer(exchange)
    if (exchange.lease !== null) await recordRefusal(exchange, refusal)
    if (refusal.status === 429) await holdRefusal(exchange)
    sendRefusal(exchange, refusal)
    span.set({ 'error.type': refusal.key })
  } finally {
    endWork(exchange)
  }
  span.set({ 'http.response.status_code': exchange.reply.statusCode })
}

/** See [Note: overload]. */
function enterWork(exchange: Served): Promise<void> | null {
  const { place, admitted } = exchange.admission.enter(exchange.route.urgency)
  exchange.place = place
  return admitted
}

/** See [Note: held refusals]. A call that only waits for its refusal is not in flight. */
async function holdRefusal(exchange: Served): Promise<void> {
  exchange.ticket?.release()
  const held = exchange.heldRefusals.hold(senderOf(exchange))
  if (held !== null) await held
}

/** See [Note: calls in flight]: a caller who leaves early is counted until the work for the call has ended. */
function endWork(exchange: Served): void {
  exchange.place?.leave()
  exchange.isWorking = false
  exchange.onWorked?.()
  if (exchange.reply.raw.closed) exchange.ticket?.release()
}

async function sendAnswer(exchange: Served): Promise<void> {
  if (exchange.replay !== null) {
    sendReplay(exchange, exchange.replay)
    return
  }
  if (exchange.answer instanceof BrowserAnswer) {
    sendToBrowser(exchange, exchange.answer)
    return
  }
  if (exchange.answer instanceof ListAnswer) {
    await sendList(exchange, exchange.answer)
    return
  }
  if (exchange.answer instanceof StreamAnswer) {
    sendStream(exchange, exchange.answer)
    return
  }
  const { reply, route } = exchange
  const { id, success } = route.operation
  const { status, body: schema, mediaType } = success
  const { body, extras } = unpackAnswer(exchange.answer)
  const breach = route.contract?.breachOfBody(body) ?? null
  if (breach !== null) throw reportBreach(exchange, breach)
  if (schema !== undefined && body === undefined) throw new Error(`${id} declares a body and its handler returned none`)
  if (extras.headers !== undefined) reply.headers(extras.headers)
  watchDelivery(exchange, extras)
  if (sendUnchanged(exchange, tagAnswer(exchange, schema !== undefined && wantsXml(exchange, route)), body)) return
  reply.code(extras.status ?? status)
  setWarnings(exchange, reply.statusCode, extras.warnings)
  // A file may set its own media type.
  if (mediaType !== undefined && !reply.hasHeader('content-type')) reply.header('content-type', mediaType)
  if (body instanceof Readable) logCut(exchange, body)
  if (schema === undefined) reply.send(body)
  else if (extras.isExact === true && !wantsXml(exchange, route))
    reply.header('content-type', JSON_TYPE).send(exactBytes(body))
  else sendText(exchange, answerText(exchange, body, extras))
}

function sendToBrowser(exchange: Served, { status, headers, html, errorKey }: BrowserAnswer): void {
  const { reply, route } = exchange
  exchange.errorKey = errorKey
  if (route.operation.success.browser !== true) throw new Error(`${route.operation.id} declares no answer for browsers`)
  reply.code(status).headers(headers).send(html)
}

function sendText(exchange: Served, json: string): void {
  const isXml = wantsXml(exchange, exchange.route)
  exchange.reply.header('content-type', isXml ? XML_TYPE : JSON_TYPE)
  exchange.reply.send(isXml ? writeXml(JSON.parse(json)) : json)
}

/**
 * Headers of the answer that could not be sent must not reach the refusal: one of them may be the one that Node
 * refuses.
 */
function withdrawAnswer(exchange: Served): void {
  const { headers } = unpackAnswer(exchange.answer).extras
  for (const name of Object.keys(headers ?? {})) exchange.reply.removeHeader(name)
  withdrawWarnings(exchange)
  setRouteHeaders(exchange)
}

function setRouteHeaders({ reply, route }: Served): void {
  for (const [name, value] of route.headers) reply.header(name, value)
}

/** A caller who left while the handler worked gets no answer, and no later event would tell the handler. */
function watchDelivery(exchange: Served, { onClosed }: AnswerExtras): void {
  if (exchange.reply.raw.closed) onClosed?.(false)
  else exchange.onClosed = onClosed ?? null
}

function sendReplay(exchange: Served, { status, headers, body }: StoredAnswer): void {
  const { reply } = exchange
  reply.code(status).headers(headers).header('idempotent-replayed', 'true')
  setWarnings(exchange, status, keptWarnings(exchange, headers))
  if (body === null) reply.send()
  else sendText(exchange, body)
}

function holdsForbiddenSlash({ call, route }: Served): boolean {
  return call.path.includes('%2F') && !route.operation.path.includes('{sourceKey}')
}
