import type { Answer, Outgoing } from '../matrix/send.ts'
import { search } from '../secrets/search.ts'
import type { SecretSet } from '../secrets/secret-set.ts'

/** Time is counted as CPU time of all processes in one, so that other load on the machine makes no answer late. */
const LATEST_MS = 10_000
/** Words of our own code or of an engine, which no answer contains. */
const INTERNALS = [
  /node_modules/,
  /\.ts:\d+/,
  /\n\s+at /,
  /syntax error at or near/,
  /violates .* constraint/,
  /ECONNREFUSED/,
]

export interface Judged {
  readonly outgoing: Outgoing
  readonly answer: Answer
  /** CPU time that passed until the answer. */
  readonly tookMs: number
}

export interface Forbidden {
  /** Planted secrets: they are in no answer. */
  readonly secrets: SecretSet['needles']
  /** Ids of other tenants that no input has stored: they are in no answer, unless the request contains them. */
  readonly foreignIds: readonly string[]
}

/** What is wrong with an answer; null if nothing is. */
export function judge({ outgoing, answer, tookMs }: Judged, { secrets, foreignIds }: Forbidden): string | null {
  const { status, text, headers } = answer
  const hasRetryAfter = headers.some(([name]) => name === 'retry-after')
  if (status >= 500 && !(status === 503 && hasRetryAfter)) return `answered ${status} ${text.slice(0, 300)}`
  if (tookMs > LATEST_MS) return `answered after ${Math.round(tookMs)} ms of CPU time`
  const whole = [text, ...headers.map(([, value]) => value)].join('\n')
  const [secret] = search([{ place: 'the answer', content: whole }], secrets)
  if (secret !== undefined) return `the answer contains ${secret.name}`
  const internal = INTERNALS.find((pattern) => pattern.test(whole))
  if (internal !== undefined && !internal.test(requestText(outgoing))) return `the answer matches ${String(internal)}`
  const asked = requestText(outgoing)
  const leaked = foreignIds.find((id) => whole.includes(id) && !asked.includes(id))
  return leaked === undefined ? null : `the answer contains ${leaked}, which belongs to another tenant`
}

function requestText({ url, headers, body }: Outgoing): string {
  return [url, unescaped(url), JSON.stringify(headers), body ?? ''].join('\n')
}

function unescaped(url: string): string {
  try {
    return decodeURIComponent(url)
  } catch {
    return url
  }
}
