import { ApiError, errorCatalog, type ErrorKey, type ErrorStatus } from '@sealpost/protocol'
import { decodeJson } from '../wire.ts'

export interface AskRequest {
  readonly command: string
  readonly id: string
  readonly body: unknown
  readonly traceparent: string | null
}

/** The outcome of an ask; also stored under its id. */
export type AskOutcome =
  | { readonly ok: true; readonly reply: unknown }
  | { readonly ok: false; readonly refusal: CarriedRefusal }

export interface CarriedRefusal {
  readonly key: string
  readonly details: Readonly<Record<string, unknown>>
  readonly status: ErrorStatus
  readonly sentence: string
  readonly retryAfterSeconds: number | null
}

export function refusalOf(error: ApiError): AskOutcome {
  return {
    ok: false,
    refusal: {
      key: error.key,
      details: error.details,
      status: error.status,
      sentence: error.message,
      retryAfterSeconds: error.retryAfterSeconds ?? null,
    },
  }
}

/** The refusal that the handler threw; a key that only a newer release knows becomes an internal error. */
export function errorOf({ key, details, status, sentence, retryAfterSeconds }: CarriedRefusal): ApiError {
  if (!isErrorKey(key)) return new ApiError('platform.internal_error', {}, {})
  const retry = retryAfterSeconds === null ? {} : { retryAfterSeconds }
  return new ApiError(key, details, { sentence, status, ...retry })
}

export function decodeRequest(payload: Uint8Array): AskRequest {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only our own sendAsk asks on these subjects
  return decodeJson(payload) as AskRequest
}

export function decodeOutcome(payload: Uint8Array): AskOutcome {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only our own answerAsk serves these subjects
  return decodeJson(payload) as AskOutcome
}

export function parseOutcome(text: string): AskOutcome {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- written by answerAsk in this very shape
  return JSON.parse(text) as AskOutcome
}

function isErrorKey(key: string): key is ErrorKey {
  return Object.hasOwn(errorCatalog, key)
}
