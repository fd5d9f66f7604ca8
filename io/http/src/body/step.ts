import { isUtf8 } from 'node:buffer'
import { createHash } from 'node:crypto'
import { findUnknownMembers, type Result } from '@sealpost/kernel'
import { ApiError, memberTreeOf, type Operation, refuse } from '@sealpost/protocol'
import type { Served } from '../exchange.ts'
import type { HttpServer } from '../http-server.ts'
import { readTextMembers } from '../query.ts'
import { senderOf } from '../refusal.ts'
import type { Step } from '../steps.ts'
import { compileInspection, type Inspect, invalid } from '../validation.ts'
import { MOST_WARNINGS } from '../warnings.ts'
import { type Fault, pointerStep, readJson } from './json.ts'
import { LARGE_BYTES } from './large-bodies.ts'
import { BodyTooLarge, readBytes } from './read-bytes.ts'

/** Of routes that do not declare another one; their callers may rely on it. */
const DEFAULT_BODY_BYTES = 4 * 1024 * 1024
const FORM = 'application/x-www-form-urlencoded'

/** Reads, parses and checks the body; null for operations without one, whose bodies are ignored. */
export function bodyStep(server: HttpServer, operation: Operation): Step | null {
  if (operation.body === undefined) return null
  const inspect = compileInspection(operation.body)
  const members = memberTreeOf(operation)
  const limit = operation.maxBodyBytes ?? server.options.maxBodyBytes ?? DEFAULT_BODY_BYTES
  return async (exchange) => {
    const isForm = isFormOf(operation, exchange.request.headers['content-type'])
    // Who waits for bytes takes no time of the others.
    if (!exchange.request.raw.complete) exchange.place?.leave()
    const bytes = await readBytes(exchange.request.raw, {
      limit,
      onBytes: (count) => exchange.ticket?.addBytes(count),
      onRead: (count) => exchange.intake.take(senderOf(exchange), count),
    }).catch((error: unknown) => {
      throw refusalOf(error, isForm, limit)
    })
    exchange.body = checked(await parseBody(server, exchange, bytes), isForm, inspect)
    if (members !== null && !isForm)
      exchange.unknownMembers = findUnknownMembers(members, exchange.body, MOST_WARNINGS + 1)
  }
}

function refusalOf(error: unknown, isForm: boolean, limit: number): ApiError {
  if (error instanceof ApiError) return error
  return error instanceof BodyTooLarge ? tooLarge(isForm, limit) : refuseBody(isForm, [cutOff])
}

/** The bytes are let go of here: what is parsed is as large. */
async function parseBody(server: HttpServer, exchange: Served, bytes: Buffer): Promise<unknown> {
  const { request, route } = exchange
  const { operation } = route
  const isForm = isFormOf(operation, request.headers['content-type'])
  if (bytes.length === 0) {
    if (operation.allowsEmptyBody !== true) throw refuseBody(isForm, [{ path: '', message: 'is required' }])
    return {}
  }
  const wanted = isForm ? FORM : 'application/json'
  if (!isPlain(request.headers['content-encoding']) || !isOfType(request.headers['content-type'], wanted)) {
    throw wrongType(isForm)
  }
  const wantsSha256 = operation.creates === true && request.headers['idempotency-key'] !== undefined
  if (!isForm && bytes.length > LARGE_BYTES) return readLarge(server, exchange, bytes, wantsSha256)
  if (wantsSha256) exchange.bodySha256 = createHash('sha256').update(bytes).digest('hex')
  return isForm ? parseForm(bytes) : requireJson(readJson(bytes))
}

async function readLarge(server: HttpServer, exchange: Served, bytes: Buffer, wantsSha256: boolean): Promise<unknown> {
  const { read, sha256, done } = await server.largeBodies.read(bytes, wantsSha256)
  exchange.onWorked = done
  exchange.bodySha256 = sha256
  return requireJson(read)
}

/** Where both are accepted, the Content-Type decides. */
function isFormOf({ bodyType }: Operation, contentType: string | undefined): boolean {
  return bodyType === 'form' || (bodyType === 'form_or_json' && isOfType(contentType, FORM))
}

function checked(value: unknown, isForm: boolean, inspect: Inspect): unknown {
  const faults = inspect(value)
  if (faults !== null) throw refuseBody(isForm, faults)
  return value
}

function requireJson(read: Result<unknown, Fault>): unknown {
  if (!read.ok) throw invalid('body', [read.refusal])
  return read.value
}

function parseForm(bytes: Buffer): unknown {
  if (!isUtf8(bytes)) throw refuseBody(true, [{ path: '', message: 'is not valid UTF-8' }])
  const read = readTextMembers(bytes.toString('utf8'))
  if (read.ok) return read.value
  const { name, message } = read.refusal
  throw refuseBody(true, [{ path: name === null ? '' : pointerStep(name), message }])
}

function isPlain(encoding: string | undefined): boolean {
  return encoding === undefined || encoding.trim().toLowerCase() === 'identity'
}

function isOfType(header: string | undefined, wanted: string): boolean {
  const [type = '', ...parameters] = (header ?? '').toLowerCase().split(';')
  const charset = parameters.map((parameter) => parameter.trim()).find((parameter) => parameter.startsWith('charset='))
  return type.trim() === wanted && (charset === undefined || /^charset="?utf-?8"?$/.test(charset))
}

const cutOff: Fault = { path: '', message: 'was cut off' }

/** Forms belong to OAuth, which has one error code for every invalid request. */
function refuseBody(isForm: boolean, faults: readonly Fault[]): ApiError {
  if (!isForm) return invalid('body', faults)
  const sentence = faults.map(({ path, message }) => `${path.slice(1) || 'the form'} ${message}`).join('; ')
  return refuse('oauth.invalid_request', undefined, { sentence: sentence.slice(0, 500) })
}

function tooLarge(isForm: boolean, limit: number): ApiError {
  if (isForm) return refuseBody(isForm, [{ path: '', message: `is larger than ${limit} bytes` }])
  return refuse('request.too_large', undefined, { sentence: `The request body is larger than ${limit} bytes` })
}

function wrongType(isForm: boolean): ApiError {
  if (!isForm) return refuse('request.unsupported_media_type')
  return refuseBody(isForm, [{ path: '', message: 'must be sent as application/x-www-form-urlencoded' }])
}
