import { ApiError, errorCatalog, type ErrorKey, type ErrorStatus, refuse } from '@sealpost/protocol'
import type { LinkedBody } from '../large-bodies.ts'
import { decodeJson } from '../wire.ts'

export interface AskRequest {
  readonly command: string
  readonly id: string
  readonly body: unknown
  /** In place of `body`, which is then null: [Note: bodies over the limit]. */
  readonly largeBody?: LinkedBody
  readonly traceparent: string | null
  /** See [Note: the age of an ask]; absent in asks of an older release. */
  readonly sent?: SendingTime
}

export interface SendingTime {
  /** One run of the asking process: its clock starts at its own zero. */
  readonly process: string
  /** On that process's monotonic clock. */
  readonly atMs: number
  /** How long the asker waits for the answer. */
  readonly waitsMs: number
}

/** The outcome of an ask; also stored under its id. */
export type AskOutcome =
  | { readonly ok: true; readonly reply: unknown; readonly largeReply?: LinkedBody }
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

/** The refusal that the handler threw, unless only a newer release knows its key. */
export function errorOf({ key, details, status, sentence, retryAfterSeconds }: CarriedRefusal): ApiError {
  if (!isErrorKey(key)) return otherRelease()
  const retry = retryAfterSeconds === null ? {} : { retryAfterSeconds }
  return new ApiError(key, details, { sentence, status, ...retry })
}

/**
 * For an ask, a body or an answer that only one side knows: the parties run different releases, for as long as an upgrade
 * takes (docs/runbooks/upgrade.md). Nothing was done, and the call succeeds once both run the same release.
 */
export function otherRelease(): ApiError {
  const sentence = 'The other region runs another release and cannot process this call yet; nothing was written'
  return refuse('region.unreachable', undefined, { sentence })
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
