import { isUtf8 } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
import { type ApiError, type Operation, refuse } from '@sealpost/protocol'
import type { Served } from './exchange.ts'
import { type Fault, pointerStep, readJson } from './json.ts'
import { readTextMembers } from './query.ts'
import type { Step } from './steps.ts'
import { compileInspection, type Inspect, invalid } from './validation.ts'

const FORM = 'application/x-www-form-urlencoded'
const NOTHING = Buffer.alloc(0)

/** Reads, parses and checks the body; null for operations without one, whose bodies are ignored. */
export function bodyStep(operation: Operation, defaultLimit: number): Step | null {
  if (operation.body === undefined) return null
  const inspect = compileInspection(operation.body)
  const limit = operation.maxBodyBytes ?? defaultLimit
  return async (exchange) => {
    const isForm = isFormOf(operation, exchange.request.headers['content-type'])
    exchange.bodyBytes = await readBytes(exchange.request.raw, limit).catch((error: unknown) => {
      throw error instanceof BodyTooLarge ? tooLarge(isForm) : refuseBody(isForm, [cutOff])
    })
    exchange.body = parseBody(exchange, operation, inspect)
  }
}

function parseBody({ request, bodyBytes }: Served, operation: Operation, inspect: Inspect): unknown {
  const bytes = bodyBytes ?? NOTHING
  const isForm = isFormOf(operation, request.headers['content-type'])
  if (bytes.length === 0) {
    if (operation.allowsEmptyBody !== true) throw refuseBody(isForm, [{ path: '', message: 'is required' }])
    return checked({}, isForm, inspect)
  }
  const wanted = isForm ? FORM : 'application/json'
  if (!isPlain(request.headers['content-encoding']) || !isOfType(request.headers['content-type'], wanted)) {
    throw wrongType(isForm)
  }
  return checked(isForm ? parseForm(bytes) : parseJson(bytes), isForm, inspect)
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

function parseJson(bytes: Buffer): unknown {
  const read = readJson(bytes)
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

function tooLarge(isForm: boolean): ApiError {
  return isForm ? refuseBody(isForm, [{ path: '', message: 'is too large' }]) : refuse('request.too_large')
}

function wrongType(isForm: boolean): ApiError {
  if (!isForm) return refuse('request.unsupported_media_type')
  return refuseBody(isForm, [{ path: '', message: 'must be sent as application/x-www-form-urlencoded' }])
}

class BodyTooLarge extends Error {}

/**
 * Reads at most `limit` bytes. After a refusal Node reads and discards the rest, so that a caller who is still sending
 * gets the answer; the request's time limit bounds this.
 */
function readBytes(raw: IncomingMessage, limit: number): Promise<Buffer> {
  const { 'content-length': length, 'transfer-encoding': encoding } = raw.headers
  if (encoding === undefined && (length === undefined || length === '0')) return Promise.resolve(NOTHING)
  if (length !== undefined && Number(length) > limit) return Promise.reject(new BodyTooLarge())
  // The caller may have left while a gate was waiting; no further event would come.
  if (raw.destroyed) return Promise.reject(new Error('the body was cut off'))
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    const onData = (chunk: Buffer): void => {
      size += chunk.length
      if (size > limit) stop(() => reject(new BodyTooLarge()))
      else chunks.push(chunk)
    }
    const onEnd = (): void => stop(() => resolve(chunks.length === 1 ? (chunks[0] ?? NOTHING) : Buffer.concat(chunks)))
    const onCut = (): void => stop(() => reject(new Error('the body was cut off')))
    const stop = (finish: () => void): void => {
      raw.off('data', onData).off('end', onEnd).off('close', onCut)
      raw.resume()
      finish()
    }
    raw.on('data', onData).on('end', onEnd).on('close', onCut).on('error', onCut)
  })
}
